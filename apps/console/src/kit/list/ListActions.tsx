import { EllipsisOutlined, ReloadOutlined, TableOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import type { ReactNode } from 'react'
import { later } from '../../shell/later.tsx'
import { setMaximised, useMaximised } from '../../shell/layout/maximised.ts'
import { MenuButton } from '../../shell/menus/MenuButton.tsx'
import { useCommand } from '../../shell/palette/commands.ts'
import type { Reader } from '../reader.ts'
import type { Columns } from './useColumns.ts'
import type { ResourceList } from './useResourceList.ts'

const ColumnSettings = later(async () => (await import('./ColumnSettings.tsx')).ColumnSettings)

/** One entry of the menu at the end of the title line. */
export interface ListEntry {
  label: string
  run: () => unknown
}

interface Props {
  list: ResourceList
  columns: Columns
  reader: Reader
  narrow: boolean
  /** Absent: not permitted. */
  onImport: (() => void) | undefined
  onExport: (() => void) | undefined
  toolbar: ReactNode
  more: readonly ListEntry[]
  add: ReactNode
}

/** The right end of the title line: how it is seen, everything seldom used in one menu, then the one primary action. */
export function ListActions({ list, columns, reader, narrow, onImport, onExport, toolbar, more, add }: Props) {
  const { t } = reader
  const full = useMaximised((state) => state.maximised)
  const offered = (verb: 'import' | 'export', run: () => void) => ({
    id: `${verb} ${list.resource.name}`,
    title: `${t(`kit.list.${verb}`)}: ${reader.title}`,
    run,
  })
  useCommand(onImport && offered('import', onImport))
  useCommand(onExport && offered('export', onExport))
  const entries: ListEntry[] = [
    ...more,
    ...(onImport ? [{ label: t('kit.list.import'), run: onImport }] : []),
    ...(onExport ? [{ label: t('kit.list.export'), run: onExport }] : []),
    ...(narrow
      ? []
      : [{ label: t(full ? 'kit.list.leaveFullScreen' : 'kit.list.fullScreen'), run: () => setMaximised(!full) }]),
  ]
  return (
    <>
      {toolbar}
      <Button
        type="text"
        icon={<ReloadOutlined spin={list.refreshing} />}
        aria-label={t('kit.list.refresh')}
        title={t('kit.list.refresh')}
        data-refresh
        onClick={list.reload}
      />
      {!narrow && (
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
      )}
      {entries.length > 0 && (
        <MenuButton
          className="more-actions"
          placement="bottomRight"
          aria-label={t('kit.list.more')}
          title={t('kit.list.more')}
          content={{
            items: entries.map(({ label }) => ({ key: label, label })),
            choose: (key) => entries.find(({ label }) => label === key)?.run(),
          }}
        >
          <EllipsisOutlined />
        </MenuButton>
      )}
      {add}
    </>
  )
}
