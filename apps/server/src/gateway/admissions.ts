import type { Logger } from 'pino'
import type { RefusalReason } from './wire.ts'

export interface Asked {
  readonly sn: string
  readonly secret: string
}
/** Who it is, and a word that differs as soon as anything differs that its being let in rests on. */
export interface Admitted {
  readonly deviceId: number
  readonly grant: string
}
export type Admit = (asked: readonly Asked[]) => Promise<(Admitted | RefusalReason)[]>

interface Question extends Asked {
  readonly at: number
  readonly answer: (verdict: Admitted | RefusalReason) => void
}

const togetherMs = 5
const batchMax = 1_000
/** A moment without the database is waited for; whoever has waited this long is told to come back. */
const patienceMs = 3_000
const againMs = 250

/**
 * Asks about many at once, and one such question at a time: however many knock, they keep one connection to the database
 * busy and leave the others to people.
 */
export const createAdmissions = (log: Logger, admit: () => Admit | undefined) => {
  let questions: Question[] = []
  let timer: NodeJS.Timeout | undefined
  let isAsking = false

  const askIn = (ms: number) => {
    if (isAsking || questions.length === 0) return
    timer ??= setTimeout(() => void ask(), ms)
  }
  const answersTo = async (some: readonly Question[]) => {
    try {
      return await admit()?.(some)
    } catch (err) {
      log.error({ err }, 'devices could not be checked')
      return undefined
    }
  }
  const ask = async () => {
    timer = undefined
    isAsking = true
    const some = questions.splice(0, batchMax)
    const answers = await answersTo(some)
    const late = Date.now() - patienceMs
    const again: Question[] = []
    for (const [place, question] of some.entries()) {
      const verdict = answers?.[place]
      if (verdict !== undefined) question.answer(verdict)
      else if (question.at <= late) question.answer('unavailable')
      else again.push(question)
    }
    questions = [...again, ...questions]
    isAsking = false
    askIn(again.length > 0 ? againMs : 0)
  }

  return {
    put: (asked: Asked, answer: Question['answer']) => {
      questions.push({ ...asked, at: Date.now(), answer })
      askIn(togetherMs)
    },
    /** Nobody waits any more. */
    clear: () => {
      questions = []
      clearTimeout(timer)
      timer = undefined
    },
  }
}
