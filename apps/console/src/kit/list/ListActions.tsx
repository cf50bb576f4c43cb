import { FullscreenExitOutlined, FullscreenOutlined, ReloadOutlined, TableOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import type { ReactNode } from 'react'
import { type Later, later } from '../../shell/later.tsx'
import { setMaximised, useMaximised } from '../../shell/layout/maximised.ts'
import { useCommand } from '../../shell/palette/commands.ts'
import type { Reader } from '../reader.ts'
import { useExport } from '../transfer/useExport.ts'
import { usePermitted } from '../useAction.ts'
import { countSelected, useSelection } from './selection.ts'
import type { Columns } from './useColumns.ts'
import type { ResourceList } from './useResourceList.ts'

const ColumnSettings = later(async () => (await import('./ColumnSettings.tsx')).ColumnSettings)

interface Props {
  list: ResourceList
  columns: Columns
  reader: Reader
  narrow: boolean
  onImport: () => void
  nearImport: Later<never>['near']
  toolbar: ReactNode
  add: ReactNode
}

/** The right end of the title line: view first, then data, then the one primary action. */
export function ListActions({ list, columns, reader, narrow, onImport, nearImport, toolbar, add }: Props) {
  const { t } = reader
  const full = useMaximised((state) => state.maximised)
  const { perms } = list.resource
  const mayExport = usePermitted(perms.export)
  const mayImport = usePermitted(perms.import)
  const exporting = useExport(list, columns.visible)
  const chosen = countSelected(useSelection(list.selection), list.total)
  const offered = (verb: 'import' | 'export', run: () => void) => ({
    id: `${verb} ${list.resource.name}`,
    title: `${t(`kit.list.${verb}`)}: ${reader.title}`,
    run,
  })
  useCommand(mayImport ? offered('import', onImport) : undefined)
  useCommand(mayExport ? offered('export', exporting.run) : undefined)
  return (
    <>
      <Button
        type="text"
        icon={<ReloadOutlined spin={list.refreshing} />}
        aria-label={t('kit.list.refresh')}
        title={t('kit.list.refresh')}
        data-refresh
        onClick={list.reload}
      />
      {toolbar}
      {!narrow && (
        <>
          <Popover
            trigger="click"
            placement="bottomRight"
            arrow={false}
            content={<ColumnSettings columns={columns} identity={list.resource.identity} reader={reader} />}
          >
            <Button {...ColumnSettings.near} type="text" icon={<TableOutlined />}>
              {t('kit.list.columns')}
            </Button>
          </Popover>
          <Button
            type="text"
            icon={full ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
            aria-pressed={full}
            aria-label={t('kit.list.fullScreen')}
            title={t('kit.list.fullScreen')}
            onClick={() => setMaximised(!full)}
          />
        </>
      )}
      {mayImport && (
        <Button {...nearImport} onClick={onImport}>
          {t('kit.list.import')}
        </Button>
      )}
      {mayExport && (
        <Button loading={exporting.running} onClick={exporting.run}>
          {chosen > 0 ? t('kit.list.exportSelected', { shown: reader.number(chosen) }) : t('kit.list.export')}
        </Button>
      )}
      {add}
    </>
  )
}
