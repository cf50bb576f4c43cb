import type { Reader } from './reader.ts'

const amountIn = (base: number, units: readonly string[]) => (bytes: number, reader: Pick<Reader, 'number'>) => {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(base) + 1e-9))
  const figure = bytes / base ** step
  return `${reader.number(figure >= 100 || step === 0 ? Math.round(figure) : Math.round(figure * 10) / 10)} ${units[step]}`
}
/** Files, as disks count. */
export const sizeText = amountIn(1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
/** Traffic, as carriers and its limit count. */
export const trafficText = amountIn(1000, ['B', 'kB', 'MB', 'GB', 'TB'])
