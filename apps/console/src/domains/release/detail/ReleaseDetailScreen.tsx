import {
  PauseOutlined,
  PlayCircleOutlined,
  RedoOutlined,
  RollbackOutlined,
  StepForwardOutlined,
  StopOutlined,
} from '@ant-design/icons'
import { release, releaseDetail, releaseDevice, releaseMachine, releaseStep } from '@campanile/contract/release'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, SoftTag, useReader, useResourceList } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { timeText } from '../../../kit/time.ts'
import { Page, useTabTitle } from '../../../shell/Page.tsx'
import { DevicesCard } from './DevicesCard.tsx'
import { LiveSteps } from './LiveSteps.tsx'
import { StepsDrawer } from './opened.ts'
import { ReasonsCard } from './ReasonsCard.tsx'
import { StatesCard } from './StatesCard.tsx'
import { type Detail, toneOfProgress, toneOfRelease } from './story.ts'
import { type ReleaseActions, useReleaseActions } from './useReleaseActions.ts'
import { useReleaseNews } from './useReleaseNews.ts'
import { WaveStrip } from './WaveStrip.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import './detail.css'

const stepsInSight = 8
/** The live connection tells; this is for when it does not. */
const watchMs = 5_000
const isMoving = (state: Detail['row']['state'] | undefined) => state === 'running' || state === 'stopping'

/** A release as a story: what goes where, its waves, how it stands, why devices failed, what happens, and every device. */
export default function ReleaseDetailScreen() {
  const id = Number(useParams().id)
  const reader = useReader(release)
  const queries = useQueryClient()
  const detail = useQuery({
    // Under the list's own key, so that whatever changes a row reads this again.
    queryKey: [...listKey(release), 'detail', id],
    queryFn: ({ signal }) => calls.call(releaseDetail, { id }, { signal }),
    refetchInterval: ({ state }) => (isMoving(state.data?.row.state) ? watchMs : 30_000),
  })
  const row = detail.data?.row
  useTabTitle(row && [row.itemName, row.itemVersion].filter(Boolean).join(' '))
  const wire = { releaseId: id, sort: '-time', page: 1, pageSize: stepsInSight }
  const steps = useQuery({
    queryKey: [...listKey(releaseStep), wire],
    queryFn: ({ signal }) => calls.list(releaseStep, wire, { signal }),
    refetchInterval: isMoving(row?.state) ? watchMs : false,
  })
  const list = useResourceList(releaseDevice, {
    fixed: { releaseId: id, deviceId: undefined },
    refreshEvery: isMoving(row?.state) ? watchMs : false,
  })
  const reload = () =>
    Promise.all([release, releaseDevice, releaseStep].map((of) => queries.invalidateQueries({ queryKey: listKey(of) })))
  useReleaseNews(id, reload)
  const actions = useReleaseActions(reload)
  const [allSteps, setAllSteps] = useState(false)
  if (detail.error && !detail.data)
    return (
      <Page title={reader.t('releaseDevice.title')}>
        <Failed error={detail.error} onRetry={detail.refetch} card />
      </Page>
    )
  if (!detail.data || !row)
    return (
      <Page title={reader.t('releaseDevice.title')}>
        <p className="bone release-bone" />
      </Page>
    )
  const chosenWave = list.state.filters.wave
  return (
    <Page
      title={reader.t('releaseDetail.head', {
        name: [row.itemName, row.itemVersion].filter(Boolean).join(' '),
        devices: reader.t('releaseDetail.to', { count: row.total, shown: reader.number(row.total) }),
      })}
      sub={<StateTag row={row} />}
      below={<Story detail={detail.data} />}
      actions={<Buttons detail={detail.data} actions={actions} />}
    >
      <WaveStrip
        waves={detail.data.waves}
        chosen={chosenWave === undefined ? undefined : Number(chosenWave)}
        onChoose={(wave) => list.setFilter({ wave: wave === undefined ? undefined : String(wave) })}
      />
      <div className="release-cards">
        <StatesCard
          detail={detail.data}
          onShow={(state) =>
            list.setFilter({ state: [state], told: state === 'published' ? true : undefined, reason: undefined })
          }
        />
        <ReasonsCard
          detail={detail.data}
          onShow={(reason) => list.setFilter({ state: ['failed'], told: undefined, reason: `"${reason}"` })}
          onRetry={actions.retryDevices.permitted ? (reason) => void actions.retryReason(row.id, reason) : undefined}
        />
        <LiveSteps
          steps={steps.data?.rows ?? []}
          perMinute={detail.data.stepsPerMinute}
          running={isMoving(row.state)}
          onAll={() => setAllSteps(true)}
        />
      </div>
      <DevicesCard detail={detail.data} list={list} actions={actions} />
      {allSteps && <StepsDrawer id={id} onClose={() => setAllSteps(false)} />}
    </Page>
  )
}

/** While it runs how it stands; afterwards what became of it. */
function StateTag({ row }: { row: Detail['row'] }) {
  const reader = useReader(release)
  return row.state === 'ended' ? (
    <SoftTag tone={toneOfProgress[row.progress]}>{reader.option('progress', row.progress)}</SoftTag>
  ) : (
    <SoftTag tone={toneOfRelease[row.state]}>{reader.option('state', row.state)}</SoftTag>
  )
}

/** One line: where it is, why it stands still, who began it and when. */
function Story({ detail: { row, because, given } }: { detail: Detail }) {
  const reader = useReader(release)
  const { t } = reader
  const { state, stateReason, wave, waveCount, number, creatorName, createTime, beginTime, endTime } = row
  const figures = Object.fromEntries(Object.entries(because).map(([name, value]) => [name, reader.number(value)]))
  const limit = figures.percent === undefined ? figures.limit : `${figures.percent} %`
  const why =
    state === 'paused' && stateReason !== null ? t(`release.because.${stateReason}`, { ...figures, limit }) : undefined
  const time = timeText(new Date(createTime))
  const place = [
    ...(wave > 0 && state !== 'ended' ? [t('releaseDetail.waveOf', { wave, count: waveCount })] : []),
    ...(why === undefined ? [] : [why]),
    ...(state === 'waiting' && beginTime !== null
      ? [t('releaseDetail.begins', { time: timeText(new Date(beginTime)) })]
      : []),
    ...(state === 'ended' && endTime !== null ? [t('releaseDetail.ended', { time: timeText(new Date(endTime)) })] : []),
  ]
  return (
    <p className="release-story">
      {place.length > 0 && (
        <strong data-tone={why === undefined ? undefined : 'bad'} role="status">
          {place.join(' · ')}
        </strong>
      )}
      <span>
        {[
          reader.option('action', row.action),
          reader.option('mode', row.mode),
          ...(row.installMode === null ? [] : [reader.option('installMode', row.installMode)]),
          ...Object.entries(given).map(([name, value]) => `${t(`releaseGiven.field.${name}`)} ${value}`),
          creatorName === null
            ? t('releaseDetail.byNobody', { number, time })
            : t('releaseDetail.by', { number, name: creatorName, time }),
          ...(row.description === null ? [] : [row.description]),
        ].join(' · ')}
      </span>
    </p>
  )
}

function Buttons({ detail: { row, undoable }, actions }: { detail: Detail; actions: ReleaseActions }) {
  const reader = useReader(release)
  const { t } = reader
  const { pause, resume, stop, skipWave, retryFailed, rollBack } = actions
  const { id, state, failed, wave, waveCount } = row
  const can = (event: 'pause' | 'resume' | 'stop') => releaseMachine.can(state, event)
  const reached = row.succeeded + row.downloading + row.upgrading > 0
  return (
    <>
      {resume.permitted && can('resume') && (
        <Button
          type="primary"
          icon={<PlayCircleOutlined />}
          loading={resume.running}
          onClick={() => resume.run({ id })}
        >
          {reader.action('resume')}
        </Button>
      )}
      {pause.permitted && can('pause') && (
        <Button icon={<PauseOutlined />} loading={pause.running} onClick={() => pause.run({ id })}>
          {reader.action('pause')}
        </Button>
      )}
      {retryFailed.permitted && failed > 0 && state !== 'stopping' && (
        <Button icon={<RedoOutlined />} loading={retryFailed.running} onClick={() => retryFailed.run({ id })}>
          {t('releaseDetail.retryCount', { shown: reader.number(failed) })}
        </Button>
      )}
      {skipWave.permitted && (state === 'running' || state === 'paused') && wave > 0 && wave < waveCount && (
        <Button icon={<StepForwardOutlined />} loading={skipWave.running} onClick={() => skipWave.ask(row)}>
          {reader.action('skipWave')}
        </Button>
      )}
      {stop.permitted && can('stop') && (
        <Button icon={<StopOutlined />} loading={stop.running} onClick={() => stop.ask(row)}>
          {reader.action('stop')}
        </Button>
      )}
      {rollBack.permitted && undoable && reached && (
        <Button danger icon={<RollbackOutlined />} loading={rollBack.running} onClick={() => rollBack.ask(row)}>
          {reader.action('rollBack')}
        </Button>
      )}
    </>
  )
}
