import type { CommandName } from '@campanile/contract/command'
import type { HomeNeed } from '@campanile/contract/home'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SoftTag } from '../../kit/index.ts'
import { dayText, relativeText, timeText } from '../../kit/time.ts'
import { useTextsOf } from '../../shell/declared.ts'
import { tell } from '../command/pickers.tsx'
import { HomeCard } from './HomeCard.tsx'
import { needWords } from './needWords.ts'
import type { useNeeds } from './useHome.ts'

const tones = { critical: 'bad', major: 'warning', minor: 'off' } as const
const shapes = { critical: '■', major: '◆', minor: '–' } as const
const shown = 6

/** What waits for a person, the most urgent on top; each says since when, and leads to exactly the rows it counts. */
export function Needs({ query }: { query: ReturnType<typeof useNeeds> }) {
  const { t, i18n } = useTranslation()
  const [whole, setWhole] = useState(false)
  const rows = query.data?.rows ?? []
  useTextsOf(rows.map(({ texts }) => texts))
  return (
    <HomeCard
      title={t('home.needs.title')}
      className="needs"
      query={query}
      rows={3}
      isEmpty={(data) => data.rows.length === 0}
      empty={t('home.needs.none')}
      beside={
        rows.length > 0 && (
          <>
            <SoftTag tone={tones[rows[0]?.level ?? 'minor']}>{rows.length}</SoftTag>
            <span className="quiet">{t('home.needs.lead')}</span>
          </>
        )
      }
    >
      {(data) => (
        <>
          <ul>
            {data.rows
              .slice(0, whole ? undefined : shown)
              .filter(({ texts, kind }) => i18n.exists(`${texts}.need.${kind}.cause`))
              .map((need) => (
                <Need key={`${need.texts} ${need.kind} ${need.to}`} need={need} />
              ))}
          </ul>
          {data.rows.length > shown && (
            <button type="button" className="link-button needs-more" onClick={() => setWhole(!whole)}>
              {whole ? t('home.needs.less') : t('home.needs.more', { count: data.rows.length - shown })}
            </button>
          )}
        </>
      )}
    </HomeCard>
  )
}

function Need({ need }: { need: HomeNeed }) {
  const { t, i18n } = useTranslation()
  const { title, cause, command } = needWords(need, { t, language: i18n.language })
  const count = new Intl.NumberFormat(i18n.language).format(need.count)
  const since = need.since === null ? null : new Date(need.since)
  return (
    <li className="need" data-need={need.kind}>
      <SoftTag tone={tones[need.level]}>
        <span aria-hidden="true">{shapes[need.level]} </span>
        {t(`home.needs.level.${need.level}`)}
      </SoftTag>
      <div className="need-words">
        <strong>{title}</strong>
        <span>{cause}</span>
      </div>
      {since === null ? (
        <span className="need-since" />
      ) : (
        <time className="need-since figure" dateTime={need.since ?? ''} title={timeText(since)}>
          {relativeText(since, new Date(), i18n.language) ?? dayText(since)}
        </time>
      )}
      <div className="need-actions">
        <Link className="need-see" to={need.to}>
          {t('home.needs.see', { count: need.count, shown: count })}
        </Link>
        {need.action && (
          <Link className="need-see need-other" to={need.action.to}>
            {t(`${need.texts}.need.${need.kind}.${need.action.word}`)}
          </Link>
        )}
        {command && (
          <Button onClick={() => tell(command as CommandName, { filter: need.filter })}>
            {t(`command.name.${command}`)}
          </Button>
        )}
      </div>
    </li>
  )
}
