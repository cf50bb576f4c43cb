import { createClient } from '@campanile/client'
import { adminPassword, figure, percentile, type raise, timed } from './installation.ts'

export interface ComparedList {
  name: string
  path: string
  query: Record<string, string | number | boolean>
  /** The same page and count, written by hand. */
  sql: string
}

const warmUps = 10

/** Each list through the product and by hand on one connection, one after the other, as a table. */
export const compareLists = async (
  { url, owner }: Pick<Awaited<ReturnType<typeof raise>>, 'url' | 'owner'>,
  lists: readonly ComparedList[],
  runs: number,
) => {
  const { token } = await createClient({ baseUrl: url }).call<{ token: string }>('POST', '/api/v1/login', {
    body: { username: 'admin', password: adminPassword },
  })
  const signedIn = createClient({ baseUrl: url, token: () => token })
  console.log('| list | p50 ms | p95 ms | by hand p50 ms | p95 ms | ratio of p50 |\n|---|---|---|---|---|---|')
  for (const { name, path, query, sql } of lists) {
    const ask = () => signedIn.call('GET', path, { query: { pageSize: 20, ...query } })
    const byHand = () => owner.query(sql)
    await timed(warmUps, ask)
    await timed(warmUps, byHand)
    const ours = await timed(runs, ask)
    const hand = await timed(runs, byHand)
    const [p50, p95] = [percentile(ours, 0.5), percentile(ours, 0.95)]
    const [h50, h95] = [percentile(hand, 0.5), percentile(hand, 0.95)]
    console.log(
      `| ${name} | ${figure(p50)} | ${figure(p95)} | ${figure(h50)} | ${figure(h95)} | ${figure(p50 / h50, 2)} |`,
    )
  }
}
