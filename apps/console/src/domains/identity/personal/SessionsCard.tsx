import { endOwnSession, type OwnSession, ownSessions } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { Failed } from '../../../kit/Failed.tsx'
import { timeText } from '../../../kit/time.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { showError, toast } from '../../../shell/feedback.ts'
import { browserName } from './browserName.ts'

/** Every browser one is signed in with; whatever one does not know is ended here. */
export function SessionsCard() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { data, error, refetch } = useQuery({
    queryKey: ['ownSessions'],
    queryFn: ({ signal }) => calls.call(ownSessions, {}, { signal }),
  })
  const end = async ({ id, ip, userAgent, signedInAt }: OwnSession) => {
    const verb = t('personal.sessions.end')
    const title = t('personal.sessions.question', { browser: browserName(userAgent), ip })
    const text = t('personal.sessions.endHelp', { time: timeText(new Date(signedInAt)) })
    if (!(await confirm({ title, text, verb, danger: true }))) return
    try {
      await calls.call(endOwnSession, { id })
      toast.success(t('personal.sessions.ended'))
    } catch (failure) {
      showError(failure)
    }
    await refetch()
  }
  return (
    <section className="panel" aria-labelledby="sessions-title">
      <div className="panel-head">
        <h2 id="sessions-title">{t('personal.sessions.title')}</h2>
      </div>
      <p className="panel-lead">{t('personal.sessions.lead')}</p>
      {data === undefined && (error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton active />)}
      <ul className="own-sessions">
        {data?.rows.map((session) => (
          <li key={session.id}>
            <div>
              <strong title={session.userAgent}>{browserName(session.userAgent)}</strong>{' '}
              <span className="mono">{session.ip}</span>
              <p className="quiet">
                {t('personal.sessions.since', { time: timeText(new Date(session.signedInAt)) })}
                {' · '}
                {session.current
                  ? t('personal.sessions.here')
                  : t('personal.sessions.seen', { time: timeText(new Date(session.lastSeen)) })}
              </p>
            </div>
            {!session.current && (
              <Button danger onClick={() => end(session)} aria-label={`${t('personal.sessions.end')} ${session.ip}`}>
                {t('personal.sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
