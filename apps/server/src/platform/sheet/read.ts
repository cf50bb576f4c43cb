import { Worker } from 'node:worker_threads'
import { type Reason, type SheetLimits, SheetRefusal, type SheetRow, sheetLimits } from './parse.ts'

const patienceMs = 20_000
const memoryMb = 192

// Beside us in the bundle. Tests run from source, and the thread from what is built: Node reads no TypeScript by itself.
const fromSource = import.meta.url.endsWith('.ts')
const script = new URL(`${fromSource ? '../../../dist' : '.'}/platform/sheet/read-worker.js`, import.meta.url)

/**
 * Reads a spreadsheet a stranger sent, in a thread that may run out of memory or time without anybody noticing.
 * 10,000 rows take a few hundred milliseconds, which no request should have to wait for.
 */
export const readSheet = (file: Uint8Array, limits: SheetLimits = sheetLimits): Promise<{ rows: SheetRow[] }> =>
  new Promise((resolve, reject) => {
    const bytes = Uint8Array.from(file).buffer
    const worker = new Worker(script, {
      workerData: { bytes, limits },
      transferList: [bytes],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    })
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      void worker.terminate()
      outcome()
    }
    const refuse = (reason: Reason) => settle(() => reject(new SheetRefusal(reason)))
    const timer = setTimeout(() => refuse('tooLarge'), patienceMs)
    worker.on('message', (answer: { rows: SheetRow[] } | { reason: Reason }) =>
      'rows' in answer ? settle(() => resolve(answer)) : refuse(answer.reason),
    )
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse('tooLarge') : settle(() => reject(error)),
    )
  })
