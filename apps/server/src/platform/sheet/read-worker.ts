import { parentPort, workerData } from 'node:worker_threads'
import { parseWorkbook, SheetRefusal } from './parse.ts'
import { isOldWorkbook, parseOldWorkbook } from './xls.ts'

const { bytes, limits } = workerData
const file = Buffer.from(bytes)
const parse = async () => (isOldWorkbook(file) ? parseOldWorkbook(file, limits) : parseWorkbook(file, limits))
parse().then(
  (rows) => parentPort?.postMessage({ rows }),
  (error) => parentPort?.postMessage({ reason: error instanceof SheetRefusal ? error.reason : 'damaged' }),
)
