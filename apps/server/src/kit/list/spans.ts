import { AppError, commonErrors, isTime, type Resource, spanOf } from '@campanile/contract'

/** A span of time that ends before it begins (behaviour: api.spans); `field` is what its end is called. */
export const backwards = (start: string, field: string) =>
  new AppError({ ...commonErrors.timeFormatWrong, field }, { start })

/** Refuses a list such a span. */
export const refuseBackwards = (resource: Resource, query: Readonly<Record<string, unknown>>): void => {
  for (const name of resource.list.filters.filter((each) => isTime(resource, each))) {
    const [from = '', to = ''] = spanOf(resource, name) ?? []
    const [start, end] = [query[from], query[to]]
    if (typeof start === 'string' && typeof end === 'string' && Date.parse(start) > Date.parse(end))
      throw backwards(start, to)
  }
}
