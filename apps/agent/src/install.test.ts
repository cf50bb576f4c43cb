import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { homeOfCaller, installAdvice, ownerOf, unitText } from './install.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-'))
})
afterEach(() => rm(folder, { recursive: true }))

const joined = async (home: string) => {
  await mkdir(join(home, '.campanile-agent'), { recursive: true })
  await writeFile(join(home, '.campanile-agent', 'identity.json'), '{}')
}

it('runs as whoever joined, with their folder, and never gives them the rights of root', async () => {
  const unit = unitText('/usr/bin/node', '/home/ann/.campanile-agent', 'ann', ['--allow-wipe'])
  expect(unit).toContain('User=ann\n')
  expect(unit).toContain('agent.mjs run --state /home/ann/.campanile-agent --allow-wipe\n')
  expect(await ownerOf(folder)).toBe(userInfo().username)
})

it('tells a plain user the very command to run, with the folder root would not look in', () => {
  const advice = installAdvice('/usr/bin/node', '/home/ann/my agent.mjs', '/home/ann/.campanile-agent', [
    '--allow-wipe',
  ])
  expect(advice).toContain(
    "sudo /usr/bin/node '/home/ann/my agent.mjs' install --state /home/ann/.campanile-agent --allow-wipe\n",
  )
})

it('means the folder of the one who typed sudo, where root itself has not joined', async () => {
  const { username, homedir } = userInfo()
  const accounts = join(folder, 'passwd')
  const [ann, root] = [join(folder, 'ann'), join(folder, 'root')]
  await writeFile(accounts, `${username}:x:1:1::${homedir}:/bin/sh\nann:x:1000:1000:Ann:${ann}:/bin/sh\n`)
  expect(homeOfCaller({ SUDO_USER: 'ann' }, root, accounts)).toBe(root)
  await joined(ann)
  expect(homeOfCaller({ SUDO_USER: 'ann' }, root, accounts)).toBe(ann)
  expect(homeOfCaller({ SUDO_USER: 'nobody-here' }, root, accounts)).toBe(root)
  expect(homeOfCaller({}, root, accounts)).toBe(root)
  await joined(root)
  expect(homeOfCaller({ SUDO_USER: 'ann' }, root, accounts)).toBe(root)
})
