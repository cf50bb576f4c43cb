/** Sign-ins per second, against bare argon2id verifications of the same hash at the same concurrency: the price of everything around it. */
import { createClient } from '@campanile/client'
import { hashPassword, verifyPassword } from '../apps/server/src/platform/password-hash.ts'
import { adminPassword, figure, machine, raise } from './installation.ts'

const total = 120
const atOnce = 4

const perSecond = async (work: () => Promise<unknown>) => {
  let left = total
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work()
    }),
  )
  return (total / (performance.now() - start)) * 1000
}

const bench = await raise()
try {
  // One account signs in again and again; what guards the door against that is not what is measured.
  const calm = setInterval(() => void bench.owner.query('delete from rate_limit'), 50)
  const client = createClient({ baseUrl: bench.url })
  const signIn = () => client.call('POST', '/api/v1/login', { body: { username: 'admin', password: adminPassword } })
  const hash = await hashPassword(adminPassword)
  await signIn()
  const bare = await perSecond(() => verifyPassword(hash, adminPassword))
  const ours = await perSecond(signIn)
  clearInterval(calm)
  console.log(machine())
  console.log('| sign-ins/s | argon2id alone /s | ratio |\n|---|---|---|')
  console.log(`| ${figure(ours)} | ${figure(bare)} | ${figure(ours / bare, 2)} |`)
} finally {
  await bench.stop()
}
