import { releaseStep } from '@campanile/contract/release'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'
import { StepsDrawer } from './opened.ts'
import { markOf, type StepRow, stepText } from './StepText.tsx'
import { secondText } from './story.ts'

interface Props {
  steps: readonly StepRow[]
  perMinute: number
  running: boolean
  onAll: () => void
}

/** What happens, as it happens, the newest on top. */
export function LiveSteps({ steps, perMinute, running, onAll }: Props) {
  const reader = useReader(releaseStep)
  const { t } = reader
  return (
    <section className="card live-steps" aria-label={t('releaseDetail.live')}>
      <div className="card-head">
        <h2>
          {t('releaseDetail.live')}{' '}
          {running && (
            <span className="quiet">
              <span className="live-dot" aria-hidden="true">
                ●
              </span>{' '}
              {t('releaseDetail.perMinute', { count: perMinute })}
            </span>
          )}
        </h2>
        <button type="button" className="link-button" {...StepsDrawer.near} onClick={onAll}>
          {t('releaseDetail.allSteps')}
        </button>
      </div>
      {steps.length === 0 && <p className="card-empty">{t('releaseDetail.noSteps')}</p>}
      <ol>
        {steps.map((step) => {
          const { tone, shape } = markOf(step.what)
          const text = stepText(step, reader)
          return (
            <li key={step.id}>
              <time className="mono" dateTime={step.time} title={timeText(new Date(step.time))}>
                {secondText(step.time)}
              </time>
              <span data-tone={tone} aria-hidden="true">
                {shape}
              </span>
              {step.sn !== null && <DeviceLink sn={step.sn} />}
              <span className="step-text" data-tone={tone} title={text}>
                {text}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
