import { Button, Empty, Spin } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../kit/inputs/SearchInput.tsx'
import { showError } from '../feedback.ts'
import { Icon } from '../icons.tsx'
import { isBoundHere, useSession } from '../session/session.ts'
import { OrganisationTree } from './OrganisationTree.tsx'
import { OrganisationTypeIcon } from './OrganisationTypeIcon.tsx'
import { findOrganisations, type Organisation, recentOrganisations } from './organisation.ts'
import { useSwitchOrganisation } from './useSwitchOrganisation.ts'

const settleMs = 200

/** Search with paths, the five last used, and the tree below. */
export function SwitcherPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const operating = useSession((state) => state.session?.user.operating)
  const bound = useSession(({ session }) => session !== undefined && isBoundHere(session))
  const { operateOn, backToOwn } = useSwitchOrganisation()
  const [keyword, setKeyword] = useState('')
  const { hits, searching } = useSearch(keyword)
  const [recent] = useState(recentOrganisations)

  const choose = (organisation: Organisation) => {
    onClose()
    void operateOn(organisation)
  }

  if (bound) return <p className="switcher-panel">{t('shell.organisation.onlyThis')}</p>

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel from anywhere in it
    <div className="switcher-panel" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <SearchInput
        autoFocus
        label={t('shell.organisation.search')}
        value={keyword}
        onChange={setKeyword}
        onPressEnter={() => hits?.[0] && choose(hits[0])}
      />
      {operating != null && (
        <Button
          block
          icon={<Icon name="back" size={14} />}
          onClick={() => {
            onClose()
            void backToOwn()
          }}
        >
          {t('shell.organisation.backToOwn')}
        </Button>
      )}
      <Spin spinning={searching}>
        {hits !== undefined && <Choices rows={hits} onChoose={choose} />}
        {hits?.length === 0 && (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('shell.organisation.none')} />
        )}
      </Spin>
      {hits === undefined && (
        <>
          {recent.length > 0 && <h2 className="switcher-heading">{t('shell.organisation.recent')}</h2>}
          <Choices rows={recent} onChoose={choose} />
          <h2 className="switcher-heading">{t('shell.organisation.all')}</h2>
          <OrganisationTree onChoose={choose} />
        </>
      )}
    </div>
  )
}

/** The path as a line, without the organisation itself. */
const above = ({ id, path }: Organisation) =>
  path
    .filter((each) => each.id !== id)
    .map((each) => each.name)
    .join(' / ')

function Choices({ rows, onChoose }: { rows: readonly Organisation[]; onChoose: (row: Organisation) => void }) {
  return (
    <ul className="switcher-choices">
      {rows.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => onChoose(row)}>
            <OrganisationTypeIcon type={row.type} />
            <span>
              {row.name}
              {above(row) !== '' && <small>{above(row)}</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Undefined hits: nothing is being searched. Answers that come late are dropped. */
function useSearch(keyword: string) {
  const [hits, setHits] = useState<Organisation[]>()
  const [searching, setSearching] = useState(false)
  useEffect(() => {
    const wanted = keyword.trim()
    if (wanted === '') {
      setHits(undefined)
      setSearching(false)
      return
    }
    let current = true
    setSearching(true)
    const timer = setTimeout(async () => {
      try {
        const rows = await findOrganisations(wanted)
        if (current) setHits(rows)
      } catch (error) {
        showError(error)
      } finally {
        if (current) setSearching(false)
      }
    }, settleMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [keyword])
  return { hits, searching }
}
