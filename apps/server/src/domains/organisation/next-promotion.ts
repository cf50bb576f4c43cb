import { type RawBuilder, sql } from 'kysely'

/** Schools live by their own clock; until one says otherwise it is this (behaviour: organisations.school-clock). */
export const schoolToday = sql`(now() at time zone 'Asia/Shanghai')::date`

/** 29 February is the last of February in a year without one. */
const inYear = (monthDay: RawBuilder<unknown>, year: RawBuilder<unknown>) => sql`least(
  make_date(${year}, split_part(${monthDay}, '-', 1)::int, 1) + (split_part(${monthDay}, '-', 2)::int - 1),
  (make_date(${year}, split_part(${monthDay}, '-', 1)::int, 1) + interval '1 month' - interval '1 day')::date)`

/** The next day on which classes move up: this year's, or next year's once it has passed. */
export const nextPromotion = (
  on: RawBuilder<unknown>,
  monthDay: RawBuilder<unknown>,
  today: RawBuilder<unknown> = schoolToday,
): RawBuilder<string | null> => {
  const year = sql`extract(year from ${today})::int`
  const thisYear = inYear(monthDay, year)
  return sql`case when ${on} then case when ${thisYear} >= ${today} then ${thisYear}
    else ${inYear(monthDay, sql`${year} + 1`)} end end`
}
