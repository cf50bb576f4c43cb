import { AppstoreOutlined, MoreOutlined } from '@ant-design/icons'
import type { Row } from '@campanile/contract/kit'
import { storeApp } from '@campanile/contract/package'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { RowPicture } from '../../kit/files/RowFile.tsx'
import type { Reader } from '../../kit/index.ts'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListFoot } from '../../kit/list/ListFoot.tsx'
import type { RowButton } from '../../kit/list/ListScreen.tsx'
import { ListState, StaleNotice } from '../../kit/list/ListStates.tsx'
import { DetailDrawer } from '../../kit/list/Opened.tsx'
import { useNarrow } from '../../kit/list/useNarrow.ts'
import { type ResourceList, useListRows } from '../../kit/list/useResourceList.ts'
import type { AnyRow } from '../../kit/reader.ts'
import { MenuButton } from '../../shell/menus/MenuButton.tsx'
import { Page } from '../../shell/Page.tsx'
import '../../kit/cards.css'
import '../../kit/kit.css'
import './store.css'

type StoreApp = Row<typeof storeApp>

interface Props {
  list: ResourceList<typeof storeApp>
  reader: Reader
  toolbar: ReactNode
  /** The first of them stands on the card, the others in its menu. */
  buttons: readonly RowButton<StoreApp & AnyRow>[]
}

/** The store as people know one: a card for each app. */
export function StoreGrid({ list, reader, toolbar, buttons }: Props) {
  const narrow = useNarrow()
  const [opened, setOpened] = useState<StoreApp>()
  const rows = useListRows(list) as readonly StoreApp[]
  const plain = list as unknown as ResourceList
  return (
    <div className="list-screen">
      <Page title={reader.title} sub={list.known ? reader.count(list.total) : undefined} actions={toolbar}>
        <FilterBar list={plain} reader={reader} />
        {list.stale && <StaleNotice list={plain} reader={reader} />}
        {list.loading ? (
          <div className="store-grid" aria-hidden="true">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((each) => (
              <div key={each} className="card store-card">
                <span className="bone" style={{ width: '60%' }} />
                <span className="bone" style={{ width: '90%' }} />
              </div>
            ))}
          </div>
        ) : rows.length === 0 ? (
          <div className="card">
            <ListState list={plain} reader={reader} add={undefined} />
          </div>
        ) : (
          <ul className="store-grid" aria-busy={list.refreshing}>
            {rows.map((row) => (
              <StoreCard key={row.id} row={row} reader={reader} buttons={buttons} onOpen={() => setOpened(row)} />
            ))}
          </ul>
        )}
        {list.total > list.state.pageSize && (
          <ListFoot list={plain} reader={reader} narrow={narrow} ticks={false} opens={false} />
        )}
      </Page>
      {opened && (
        <DetailDrawer
          resource={storeApp}
          row={opened as never}
          onClose={() => setOpened(undefined)}
          cells={undefined}
        />
      )}
    </div>
  )
}

interface CardProps {
  row: StoreApp
  reader: Reader
  buttons: Props['buttons']
  onOpen: () => void
}

function StoreCard({ row, reader, buttons, onOpen }: CardProps) {
  const { t, number } = reader
  const { id, icon, appName, version, appCateName, installCount, successRate, description } = row
  const possible = buttons.filter(({ shown }) => shown?.(row) !== false)
  const [first, ...others] = possible
  return (
    <li className="card store-card">
      <div className="store-head">
        {icon ? (
          <RowPicture resource={storeApp} name="icon" id={id} value={icon} />
        ) : (
          <span className="store-blank" aria-hidden="true">
            <AppstoreOutlined />
          </span>
        )}
        <div>
          <button type="button" className="link-button store-name" {...DetailDrawer.near} onClick={onOpen}>
            {appName}
          </button>
          <span className="quiet">
            <span className="mono">{version}</span> · {appCateName}
          </span>
        </div>
      </div>
      <p className="store-about quiet">{description}</p>
      <dl className="store-figures">
        <div>
          <dt>{reader.field('installCount')}</dt>
          <dd className="figure">{number(installCount)}</dd>
        </div>
        <div>
          <dt>{reader.field('successRate')}</dt>
          <dd className="figure">{successRate === null ? '–' : `${number(successRate)} %`}</dd>
        </div>
      </dl>
      <div className="store-buttons">
        {first && (
          <Button size="small" onClick={() => first.run(row)}>
            {t(first.label)}
          </Button>
        )}
        <span className="spread" />
        {others.length > 0 && (
          <MenuButton
            className="quiet-button"
            aria-label={reader.named('kit.list.rowMenu', appName)}
            content={{
              items: others.map(({ label }) => ({ key: label, label: t(label) })),
              choose: (key) => void others.find(({ label }) => label === key)?.run(row),
            }}
          >
            <MoreOutlined />
          </MenuButton>
        )}
      </div>
    </li>
  )
}
