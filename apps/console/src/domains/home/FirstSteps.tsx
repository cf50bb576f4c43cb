import { CheckCircleFilled } from '@ant-design/icons'
import type { FirstStep, HomeSummary } from '@campanile/contract/home'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

const placeOf: Record<FirstStep, string> = {
  password: '/personal',
  organisation: '/org/list',
  administrator: '/system/user',
  agreements: '/system/config',
}

/** What a new installation still needs. Ticks itself, and is gone when nothing is left. */
export function FirstSteps({ steps }: { steps: HomeSummary['steps'] }) {
  const { t } = useTranslation()
  const done = steps.filter((each) => each.done).length
  if (done === steps.length) return null
  return (
    <section className="card first-steps">
      <header className="card-head">
        <h2>{t('home.steps.title')}</h2>
        <span className="quiet">{t('home.steps.progress', { done, total: steps.length })}</span>
      </header>
      <ol>
        {steps.map((each) => (
          <li key={each.step} data-done={each.done}>
            {each.done ? <CheckCircleFilled aria-hidden="true" /> : <span className="step-ring" aria-hidden="true" />}
            <span>
              {each.done ? (
                t(`home.steps.${each.step}`)
              ) : (
                <Link to={placeOf[each.step]}>{t(`home.steps.${each.step}`)}</Link>
              )}
              <span className="visually-hidden"> {t(each.done ? 'home.steps.done' : 'home.steps.open')}</span>
              {!each.done && <small>{t(`home.steps.${each.step}Text`)}</small>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
