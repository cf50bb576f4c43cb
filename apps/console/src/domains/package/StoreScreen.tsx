import { AppstoreOutlined, UnorderedListOutlined } from '@ant-design/icons'
import type { Row } from '@campanile/contract/kit'
import { appRelease, downloadStoreApp, storeApp } from '@campanile/contract/package'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { ListScreen, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { readStored, writeStored } from '../../shell/storage.ts'
import { downloadBy, releaseApp } from './app.ts'
import { StoreGrid } from './StoreGrid.tsx'

type View = 'grid' | 'list'
type StoreApp = Row<typeof storeApp>

const download = downloadBy(downloadStoreApp)
const shelf = 'store.view'

/** What everybody offers, and what was permitted to one's own enterprise: as cards, or as a table. */
export default function StoreScreen() {
  const list = useResourceList(storeApp)
  const reader = useReader(storeApp)
  const { t } = reader
  const actions = useDeclaredActions(storeApp, list)
  const mayRelease = usePermitted(appRelease.perms.release)
  const [view, setView] = useState<View>(() => (readStored('local', shelf) === 'list' ? 'list' : 'grid'))
  const cells = useMemo(
    () => ({
      size: ({ size }: StoreApp) => sizeText(size, reader),
      successRate: ({ successRate }: StoreApp) =>
        successRate === null ? '–' : <span className="figure">{reader.number(successRate)} %</span>,
    }),
    [reader],
  )
  const choice = (
    <Segmented<View>
      aria-label={t('storeApp.view.label')}
      value={view}
      onChange={(next) => {
        setView(next)
        writeStored('local', shelf, next)
      }}
      options={[
        { value: 'grid', icon: <AppstoreOutlined />, title: t('storeApp.view.grid') },
        { value: 'list', icon: <UnorderedListOutlined />, title: t('storeApp.view.list') },
      ]}
    />
  )
  const rowButtons = [
    { label: 'releaseDetail.release', shown: () => mayRelease, run: releaseApp },
    ...actions.rowButtons,
    { label: 'storeApp.action.download', run: download },
  ]
  return (
    <>
      {view === 'list' ? (
        <ListScreen resource={storeApp} list={list} cells={cells} toolbar={choice} rowButtons={rowButtons} />
      ) : (
        <StoreGrid list={list} reader={reader} toolbar={choice} buttons={rowButtons} />
      )}
      {actions.dialog}
    </>
  )
}
