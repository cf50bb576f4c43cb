import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useCrosshair } from './crosshair.ts'
import { linear, nearest, type Point, readableTicks, runs, silence, tickText, timeTicks } from './scale.ts'
import './chart.css'

export type ChartTone = 'accent' | 'good' | 'warning' | 'violet'

export interface ChartEvent {
  t: number
  /** In words, with its time. */
  text: string
  tone: 'accent' | 'good' | 'warning' | 'bad' | 'off'
}

interface Props {
  label: string
  points: readonly Point[]
  /** Milliseconds between points. */
  step: number
  from: number
  to: number
  /** A range the values cannot leave, such as 0 to 100 %. */
  range?: readonly [number, number]
  tone?: ChartTone
  valueText: (value: number) => string
  timeText: (t: number) => string
  /** Words for the three figures of a step; absent where a step has one figure. */
  words?: { min: string; avg: string; max: string }
  /** A second line to hold the first against, at the same times. */
  compare?: { word: string; points: readonly Point[] }
  /** What happened meanwhile, marked on the axis. */
  events?: readonly ChartEvent[]
  /** Steps begin at the server's midnight and not at the reader's. */
  utc?: boolean
  /** Without axes and hand: the shape of the last hour on a card. */
  bare?: boolean
}

const width = 600

const path = (points: readonly { x: number; y: number }[]) =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** The mean as a line, lowest and highest of each step as a band around it. Arrow keys walk along it. */
export function LineChart(props: Props) {
  const {
    label,
    points,
    step,
    from,
    to,
    range,
    tone = 'accent',
    valueText,
    timeText,
    words,
    compare,
    events = [],
    utc = false,
    bare = false,
  } = props
  const [at, pointAt] = useCrosshair()
  const [isHeld, hold] = useState(false)
  const gradient = useId()
  const height = bare ? 44 : 168
  const edge = bare ? { left: 0, right: 0, top: 4, bottom: 0 } : { left: 0, right: 0, top: 8, bottom: 20 }

  const drawn = [...points, ...(compare?.points ?? [])]
  const lows = drawn.map(({ min }) => min)
  const highs = drawn.map(({ max }) => max)
  const [low, high] = range ?? [Math.min(...lows), Math.max(...highs)]
  const marks = readableTicks(low, high, valueText)
  const times = bare ? { step: 0, at: [] } : timeTicks(from, to, utc)
  const bottom = bare ? low : (marks[0] ?? low)
  const top = bare ? high : (marks.at(-1) ?? high)
  const x = linear(from, to, edge.left, width - edge.right)
  const y = linear(bottom, top === bottom ? bottom + 1 : top, height - edge.bottom, edge.top)

  const move = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const t =
      from +
      ((((event.clientX - box.left) / box.width) * width - edge.left) / (width - edge.left - edge.right)) * (to - from)
    hold(true)
    pointAt(t)
  }
  const leave = () => {
    hold(false)
    pointAt(undefined)
  }
  const shown = at === undefined || points.length === 0 ? undefined : nearest(points, at)
  const walk = (event: KeyboardEvent) => {
    const last = points.length - 1
    const next = {
      ArrowLeft: Math.max(0, (shown ?? last + 1) - 1),
      ArrowRight: Math.min(last, (shown ?? last - 1) + 1),
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    hold(true)
    pointAt(points[next]?.t)
  }
  const point = shown === undefined ? undefined : points[shown]
  const before = point && compare?.points.find(({ t }) => t === point.t)
  const figures =
    point &&
    [
      `${timeText(point.t)}: ${valueText(point.avg)}`,
      words && ` (${words.min} ${valueText(point.min)}, ${words.max} ${valueText(point.max)})`,
      before && `, ${compare?.word} ${valueText(before.avg)}`,
    ]
      .filter(Boolean)
      .join('')
  /** What happened next to where somebody points: as near as one can see. */
  const near =
    point === undefined ? [] : events.filter(({ t }) => Math.abs(t - (at ?? point.t)) < (to - from) / 60).slice(0, 3)
  const place = (t: number) => `calc(56px + (100% - 56px) * ${((t - from) / (to - from || 1)).toFixed(4)})`
  const newest = points.at(-1)
  const span = words && `${words.min} ${valueText(Math.min(...lows))}, ${words.max} ${valueText(Math.max(...highs))}`
  const summary = `${label}: ${[span, newest && `${timeText(newest.t)} ${valueText(newest.avg)}`].filter(Boolean).join(', ')}`

  return (
    <figure className={`chart chart-${tone} ${bare ? 'chart-bare' : ''}`}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={figures ?? summary}
        {...(bare
          ? {}
          : {
              tabIndex: 0,
              onPointerMove: move,
              onPointerLeave: leave,
              onKeyDown: walk,
              onBlur: leave,
            })}
      >
        <defs>
          <linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" className="chart-stop-top" />
            <stop offset="1" className="chart-stop-bottom" />
          </linearGradient>
        </defs>
        {!bare &&
          marks.map((mark) => (
            <line key={mark} className="chart-grid" x1={edge.left} x2={width - edge.right} y1={y(mark)} y2={y(mark)} />
          ))}
        {compare &&
          runs(compare.points, silence(compare.points, step, to - from)).map((run) => (
            <path
              key={run[0]?.t}
              d={path(run.map(({ t, avg }) => ({ x: x(t), y: y(avg) })))}
              className="chart-compare"
            />
          ))}
        {runs(points, silence(points, step, to - from)).map((run) => {
          const line = run.map(({ t, avg }) => ({ x: x(t), y: y(avg) }))
          const first = line[0]
          const last = line.at(-1)
          if (!first || !last) return null
          const band = [
            ...run.map(({ t, max }) => ({ x: x(t), y: y(max) })),
            ...run.toReversed().map(({ t, min }) => ({ x: x(t), y: y(min) })),
          ]
          const floor = height - edge.bottom
          return (
            <g key={run[0]?.t}>
              {bare || !words ? (
                <path
                  d={`${path([{ x: first.x, y: floor }, ...line, { x: last.x, y: floor }])}Z`}
                  fill={`url(#${gradient})`}
                />
              ) : (
                <path d={`${path(band)}Z`} className="chart-band" />
              )}
              <path
                d={line.length === 1 ? `M${first.x - 1} ${first.y}H${first.x + 1}` : path(line)}
                className="chart-line"
              />
            </g>
          )
        })}
        {!bare &&
          events.map(({ t, tone }, place) => (
            <line
              // biome-ignore lint/suspicious/noArrayIndexKey: two things may happen in one millisecond
              key={`${t} ${place}`}
              className={`chart-event chart-event-${tone}`}
              x1={x(t)}
              x2={x(t)}
              y1={height - edge.bottom - 10}
              y2={height - edge.bottom}
            />
          ))}
        {point && (
          <line className="chart-hand" x1={x(point.t)} x2={x(point.t)} y1={edge.top} y2={height - edge.bottom} />
        )}
      </svg>
      {!bare && (
        <>
          {marks.map((mark) => (
            <span key={mark} className="chart-mark" style={{ top: y(mark) }} aria-hidden="true">
              {valueText(mark)}
            </span>
          ))}
          {times.at.map((t) => (
            <span key={t} className="chart-time" style={{ left: place(t) }} aria-hidden="true">
              {tickText(t, times.step, utc)}
            </span>
          ))}
          <figcaption className="chart-figures" {...(isHeld && { role: 'status' })}>
            {[figures, ...near.map(({ text }) => text)].filter(Boolean).join(' · ')}
          </figcaption>
        </>
      )}
    </figure>
  )
}
