/** By which keys React knows the rows, by their ids. */
export type RowKeys = ReadonlyMap<number, number>

/**
 * Rows that stay keep what is drawn of them. Where most are others (a filter, a page), they are written into what the former
 * ones leave, which costs far less than taking those out and putting new ones in. Where few are, what goes is taken out: the
 * focus must not pass to another row unseen.
 */
export const rowKeys = (before: RowKeys, ids: readonly number[]): RowKeys => {
  const here = new Set(ids)
  const left = [...before].filter(([id]) => !here.has(id)).map(([, key]) => key)
  const free = left.length > before.size / 2 ? left : []
  let next = Math.max(0, ...before.values())
  const used = new Set(before.values())
  const fresh = () => {
    do next += 1
    while (used.has(next))
    return next
  }
  return new Map(ids.map((id) => [id, before.get(id) ?? free.shift() ?? fresh()]))
}
