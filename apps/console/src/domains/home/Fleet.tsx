import { useSearchParams } from 'react-router'
import { ActivityCard } from './ActivityCard.tsx'
import { readView } from './activity.ts'
import { ConnectFirst } from './ConnectFirst.tsx'
import { FigureBones } from './FigureBones.tsx'
import { FleetFigures } from './FleetFigures.tsx'
import { OnlineCard } from './OnlineCard.tsx'
import { SpreadCard } from './SpreadCard.tsx'
import { useHasRobots, useStatistics } from './useFleet.ts'

/** The devices of the organisation one works in: figures, who is there, shape over time, what runs on them. */
export function Fleet() {
  const statistics = useStatistics(true)
  const hasRobots = useHasRobots()
  const [search, setSearch] = useSearchParams()
  const { span, unit } = readView(search)
  const { data, error } = statistics
  if (data?.totalNum === 0) return <ConnectFirst />
  return (
    <>
      {data && hasRobots !== undefined && <FleetFigures statistics={data} hasRobots={hasRobots} />}
      {(!data || hasRobots === undefined) && !error && (
        <>
          <FigureBones count={6} />
          {hasRobots && <FigureBones count={4} />}
        </>
      )}
      <div className="home-shape">
        <OnlineCard query={statistics} />
        <ActivityCard
          span={span}
          unit={unit}
          onSpan={(next) => setSearch({ span: next }, { preventScrollReset: true })}
          onUnit={(step) => setSearch((held) => withEntry(held, 'step', step), { preventScrollReset: true })}
        />
      </div>
      <div className="home-spreads">
        {(['firmware', 'model', 'app'] as const).map((kind) => (
          <SpreadCard key={kind} kind={kind} total={data?.totalNum} />
        ))}
      </div>
    </>
  )
}

export const withEntry = (search: URLSearchParams, name: string, value: string) => {
  const next = new URLSearchParams(search)
  next.set(name, value)
  return next
}
