import { ReloadOutlined } from '@ant-design/icons'
import { deviceStatistics } from '@campanile/contract/device'
import { organisation } from '@campanile/contract/organisation'
import { operationLog } from '@campanile/contract/system'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Failed } from '../../kit/Failed.tsx'
import { usePermitted } from '../../kit/index.ts'
import { timeText } from '../../kit/time.ts'
import { Page } from '../../shell/Page.tsx'
import { useSession } from '../../shell/session/session.ts'
import { NotServed } from '../device/pickers.tsx'
import { Announcements } from './Announcements.tsx'
import { FigureBones } from './FigureBones.tsx'
import { FigureCards } from './FigureCards.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Fleet } from './Fleet.tsx'
import { greetingOf } from './greeting.ts'
import { Needs } from './Needs.tsx'
import { RecentOperations } from './RecentOperations.tsx'
import { useStatistics } from './useFleet.ts'
import { useHome, useNeeds } from './useHome.ts'
import '../../kit/cards.css'
import '../../kit/kit.css'
import './home.css'

/** What is so now in the organisation one works in, and what asks for a person. */
export default function HomeScreen() {
  const { t } = useTranslation()
  const user = useSession(({ session }) => session?.user)
  const { data, error, isFetching, refetch, dataUpdatedAt } = useHome()
  const maySeeOrganisations = usePermitted(organisation.perms.list)
  const maySeeLog = usePermitted(operationLog.perms.list)
  const maySeeDevices = usePermitted(deviceStatistics.perm)
  const fleet = useStatistics(maySeeDevices)
  const needs = useNeeds()
  // Whoever has no device yet is shown how the first one comes; there is nothing to look after.
  const isEmpty = fleet.data?.totalNum === 0 && needs.data?.rows.length === 0
  const queries = useQueryClient()
  const title = t(`home.greeting.${greetingOf(new Date().getHours())}`, { name: user?.realName ?? '' })
  const place = data?.organisation
  return (
    <Page
      title={title}
      sub={
        place && (
          <span className="home-place">
            {place.path.map((step, at) => (
              <span key={step.id}>
                {at > 0 && ' / '}
                {maySeeOrganisations && step.id === place.id ? (
                  <Link to={`/org/view/${step.id}`}>{step.name}</Link>
                ) : (
                  step.name
                )}
              </span>
            ))}
            <span>{t(`organisation.option.type.${place.type}`)}</span>
            <span>{t('home.updated', { time: timeText(new Date(dataUpdatedAt)).slice(-5) })}</span>
          </span>
        )
      }
      actions={
        <Button
          type="text"
          icon={<ReloadOutlined spin={isFetching} />}
          aria-label={t('home.refresh')}
          title={t('home.refresh')}
          data-refresh
          onClick={() => queries.refetchQueries({ type: 'active' })}
        />
      }
    >
      {error && <Failed error={error} onRetry={refetch} card />}
      {maySeeDevices && <NotServed />}
      {!isEmpty && <Needs query={needs} />}
      {maySeeDevices && <Fleet />}
      {!data && !error && <FigureBones count={5} />}
      {data && (
        <>
          <FigureCards summary={data} />
          <FirstSteps steps={data.steps} />
          <div className="home-columns" data-single={!maySeeLog}>
            <Announcements rows={data.announcements} />
            {maySeeLog && <RecentOperations />}
          </div>
        </>
      )}
    </Page>
  )
}
