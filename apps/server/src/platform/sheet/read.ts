import { Worker } from 'node:worker_threads'
import { type Reason, type SheetLimits, SheetRefusal, type SheetRow, sheetLimits } from './parse.ts'

const patienceMs = 20_000
const memoryMb = 192

// Run from source in tests, from the bundle beside it in production.
const fromSource = import.meta.url.endsWith('.ts')
const script = new URL(fromSource ? './read-worker.ts' : './platform/sheet/read-worker.js', import.meta.url)

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
      execArgv: fromSource ? ['--import', 'tsx'] : [],
    })
    const end = (outcome: { rows: SheetRow[] } | { reason: Reason }) => {
      clearTimeout(timer)
      void worker.terminate()
      if ('rows' in outcome) resolve(outcome)
      else reject(new SheetRefusal(outcome.reason))
    }
    const timer = setTimeout(() => end({ reason: 'tooLarge' }), patienceMs)
    worker.on('message', end)
    // Out of memory is an error event, too.
    worker.on('error', () => end({ reason: 'tooLarge' }))
    worker.on('exit', () => end({ reason: 'damaged' }))
  })
