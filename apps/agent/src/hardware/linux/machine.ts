import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Highest exit code that still counts as success. */
  readonly codeMax?: number
}

/** Programs of the machine. No shell in between: an argument is an argument. */
export interface Machine {
  has(program: string): boolean
  /** Standard output; rejects with what the program said on standard error. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>
  readonly isRoot: boolean
  readonly hasSystemd: boolean
}

const usualMs = 60_000
const outputMax = 4 * 1024 * 1024
/** Where administrators' programs live, which a service's PATH may lack. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
const find = (program: string) =>
  program.includes('/') ? program : folders.map((folder) => join(folder, program)).find(isProgram)

const run: Machine['run'] = (program, args, { input, env, timeoutMs = usualMs, codeMax = 0 } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(find(program) ?? program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      timeout: timeoutMs,
    })
    const out: Buffer[] = []
    let size = 0
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= outputMax) out.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 1000) complaint += chunk.toString('utf8')
    })
    child.on('error', (error) => reject(new Error(`${program}: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code !== null && code <= codeMax) return resolve(Buffer.concat(out).toString('utf8'))
      const why = complaint.trim().split('\n')[0] || (signal ? `ended by ${signal}` : `exit code ${code}`)
      reject(new Error(`${program}: ${why}`))
    })
    // A program that does not read its input is no failure of ours.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })

export const thisMachine: Machine = {
  has: (program) => find(program) !== undefined,
  run,
  isRoot: process.getuid?.() === 0,
  hasSystemd: existsSync('/run/systemd/system'),
}
