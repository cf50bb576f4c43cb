import { AppError, commonErrors, isTime, type Resource, spanOf } from '@campanile/contract'

/** Refuses a span of time that ends before it begins (behaviour: api.spans). */
export const refuseBackwards = (resource: Resource, query: Readonly<Record<string, unknown>>): void => {
  for (const name of resource.list.filters.filter((each) => isTime(resource, each))) {
    const [from = '', to = ''] = spanOf(resource, name) ?? []
    const [start, end] = [query[from], query[to]]
    if (typeof start === 'string' && typeof end === 'string' && Date.parse(start) > Date.parse(end))
      throw new AppError({ ...commonErrors.timeFormatWrong, field: to }, { start })
  }
}
