import { createHash } from 'node:crypto'

/** One sort of device in one sort of place. Types are codes of `deviceType`; models are those the simulator knows. */
interface Sort {
  readonly at: readonly string[]
  readonly type: number
  readonly model: string
  readonly each: number
  readonly batch: string
  /** Still in its box: registered, never activated. */
  readonly boxed?: true
}

const stores = [
  ...['Ashford', 'Belmont', 'Cranbrook', 'Dunmore', 'Eastleigh', 'Fairview'].map(
    (name) => `Stores north/Store ${name}`,
  ),
  ...['Glenwood', 'Hartwell', 'Inglewood', 'Jarrow', 'Kingsley', 'Langham'].map((name) => `Stores south/Store ${name}`),
].map((place) => `Northgate Retail/${place}`)
const classes = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((year) =>
  ['A', 'B'].map(
    (letter) => `Riverside School/${year < 7 ? 'Primary' : 'Junior'} section/Grade ${year}/Class ${year}${letter}`,
  ),
)
const retail = (place: string) => [`Northgate Retail/${place}`]
const logistics = (place: string) => [`Meridian Logistics/${place}`]
const school = ['Riverside School']
const schoolOffice = ['Riverside School/Administration']
const stock = retail('Central warehouse')

/** Three hundred devices of all sixteen types. */
const sorts: readonly Sort[] = [
  { at: stores.slice(0, 6), type: 2, model: 'CR-88', each: 3, batch: 'NG-2503' },
  { at: stores.slice(6), type: 2, model: 'CR-80', each: 3, batch: 'NG-2404' },
  { at: stores, type: 5, model: 'KS-32', each: 1, batch: 'NG-2410' },
  { at: stores, type: 6, model: 'HP-6', each: 2, batch: 'NG-2509' },
  { at: stores, type: 13, model: 'IC-4M', each: 1, batch: 'NG-2404' },
  { at: retail('Head office'), type: 1, model: 'DA-210', each: 4, batch: 'NG-2404' },
  { at: retail('Head office'), type: 4, model: 'VP-12', each: 3, batch: 'NG-2509' },
  { at: retail('Head office'), type: 11, model: 'FR-8', each: 2, batch: 'NG-2410' },
  { at: retail('Head office/Information technology'), type: 14, model: 'EB-Nano', each: 2, batch: 'NG-2503' },
  { at: retail('Head office/Information technology'), type: 16, model: 'GX-1', each: 2, batch: 'NG-2503' },
  { at: stock, type: 2, model: 'CR-88', each: 6, batch: 'NG-2512', boxed: true },
  { at: stock, type: 5, model: 'KS-32', each: 4, batch: 'NG-2512', boxed: true },
  { at: stock, type: 6, model: 'HP-6', each: 4, batch: 'NG-2512', boxed: true },
  { at: stock, type: 8, model: 'LG-9', each: 4, batch: 'NG-2509' },
  { at: stock, type: 3, model: 'RB-Porter', each: 4, batch: 'NG-2509' },

  { at: logistics('Depot Rotterdam'), type: 1, model: 'DA-200', each: 3, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam'), type: 10, model: 'ID-60', each: 2, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam/Inbound'), type: 8, model: 'LG-9', each: 6, batch: 'ML-2506' },
  { at: logistics('Depot Rotterdam/Inbound'), type: 3, model: 'RB-Porter', each: 3, batch: 'ML-2506' },
  { at: logistics('Depot Rotterdam/Inbound'), type: 13, model: 'IC-8M', each: 2, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam/Sorting'), type: 3, model: 'RB-Porter', each: 6, batch: 'ML-2506' },
  { at: logistics('Depot Rotterdam/Sorting'), type: 14, model: 'EB-Orin', each: 3, batch: 'ML-2506' },
  { at: logistics('Depot Rotterdam/Sorting'), type: 13, model: 'IC-8M', each: 3, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam/Sorting'), type: 8, model: 'LG-7', each: 6, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam/Outbound'), type: 8, model: 'LG-7', each: 6, batch: 'ML-2402' },
  { at: logistics('Depot Rotterdam/Outbound'), type: 3, model: 'RB-Sweep', each: 3, batch: 'ML-2511' },
  { at: logistics('Depot Rotterdam/Outbound'), type: 12, model: 'WT-3', each: 3, batch: 'ML-2411' },
  { at: logistics('Depot Leipzig'), type: 1, model: 'DA-200', each: 2, batch: 'ML-2402' },
  { at: logistics('Depot Leipzig'), type: 10, model: 'ID-60', each: 2, batch: 'ML-2402' },
  { at: logistics('Depot Leipzig/Inbound'), type: 8, model: 'LG-9', each: 4, batch: 'ML-2506' },
  { at: logistics('Depot Leipzig/Inbound'), type: 3, model: 'RB-Porter', each: 3, batch: 'ML-2511' },
  { at: logistics('Depot Leipzig/Inbound'), type: 13, model: 'IC-4M', each: 2, batch: 'ML-2411' },
  { at: logistics('Depot Leipzig/Inbound'), type: 14, model: 'EB-Nano', each: 1, batch: 'ML-2411' },
  { at: logistics('Depot Leipzig/Outbound'), type: 8, model: 'LG-7', each: 4, batch: 'ML-2411' },
  { at: logistics('Depot Leipzig/Outbound'), type: 3, model: 'RB-Sweep', each: 3, batch: 'ML-2511' },
  { at: logistics('Depot Leipzig/Outbound'), type: 12, model: 'WT-3', each: 3, batch: 'ML-2411' },
  { at: logistics('Depot Leipzig/Outbound'), type: 14, model: 'EB-Nano', each: 1, batch: 'ML-2411' },
  { at: logistics('Fleet/Long haul'), type: 9, model: 'TR-1', each: 8, batch: 'ML-2411' },
  { at: logistics('Fleet/Long haul'), type: 4, model: 'VP-10', each: 4, batch: 'ML-2506' },
  { at: logistics('Fleet/City vans'), type: 9, model: 'TR-1', each: 10, batch: 'ML-2506' },
  { at: logistics('Fleet/City vans'), type: 6, model: 'HP-5', each: 4, batch: 'ML-2506' },

  { at: classes, type: 4, model: 'VP-10', each: 1, batch: 'RS-2408' },
  { at: classes, type: 15, model: 'TB-10', each: 1, batch: 'RS-2508' },
  { at: school, type: 1, model: 'DA-210', each: 6, batch: 'RS-2408' },
  { at: school, type: 11, model: 'FR-10', each: 6, batch: 'RS-2508' },
  { at: school, type: 13, model: 'IC-8M', each: 8, batch: 'RS-2408' },
  { at: school, type: 5, model: 'KS-43', each: 2, batch: 'RS-2408' },
  { at: schoolOffice, type: 10, model: 'ID-60', each: 4, batch: 'RS-2408' },
  { at: schoolOffice, type: 7, model: 'MD-100', each: 6, batch: 'RS-2508' },
  { at: schoolOffice, type: 12, model: 'WT-3', each: 4, batch: 'RS-2408' },
  { at: schoolOffice, type: 14, model: 'EB-Nano', each: 2, batch: 'RS-2508' },
  { at: schoolOffice, type: 16, model: 'GX-1', each: 2, batch: 'RS-2508' },
  { at: schoolOffice, type: 2, model: 'CR-80', each: 2, batch: 'RS-2408' },
  { at: schoolOffice, type: 15, model: 'TB-11', each: 6, batch: 'RS-2511', boxed: true },
]

export interface Planned {
  readonly sn: string
  /** Names of departments below the top of the demonstration, from the outermost. */
  readonly place: string
  readonly type: number
  readonly model: string
  readonly batch: string
  readonly boxed: boolean
  /** Broken, lent or lost: known, and not heard of for this many days. */
  readonly goneDays: number | undefined
  /** Days since it was registered. */
  readonly age: number
}

/** Chance that is the same at every start: a number from 0 to below `n`, drawn for this serial and question. */
export const dice = (sn: string, question: string, n: number): number =>
  createHash('sha256').update(`${question} ${sn}`).digest().readUInt32LE(0) % n

const serials = () => {
  const made = new Map<string, number>()
  return (model: string, batch: string) => {
    const stem = `${model.replace('-', '')}-${batch.slice(3)}`
    const number = (made.get(stem) ?? 0) + 1
    made.set(stem, number)
    return `${stem}${String(number).padStart(3, '0')}`
  }
}

/** A sixth of the fleet came within the last month, so that its growth is to be seen. */
const ageOf = (sn: string) => (dice(sn, 'new', 6) === 0 ? 2 + dice(sn, 'age', 26) : 40 + dice(sn, 'age', 500))

const draw = (): Planned[] => {
  const nextSerial = serials()
  return sorts.flatMap(({ at, type, model, each, batch, boxed = false }) =>
    at.flatMap((place) =>
      Array.from({ length: each }, () => {
        const sn = nextSerial(model, batch)
        const age = ageOf(sn)
        const gone = !boxed && age > 30 && dice(sn, 'gone', 14) === 0
        return { sn, place, type, model, batch, boxed, age, goneDays: gone ? 1 + dice(sn, 'days', 20) : undefined }
      }),
    ),
  )
}

export const plan: readonly Planned[] = draw()
