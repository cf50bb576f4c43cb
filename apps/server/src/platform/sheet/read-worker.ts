import { parentPort, workerData } from 'node:worker_threads'
import { parseWorkbook, SheetRefusal } from './parse.ts'

const { bytes, limits } = workerData
parseWorkbook(Buffer.from(bytes), limits).then(
  (rows) => parentPort?.postMessage({ rows }),
  (error) => parentPort?.postMessage({ reason: error instanceof SheetRefusal ? error.reason : 'damaged' }),
)
