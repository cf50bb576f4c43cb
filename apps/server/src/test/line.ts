import { Duplex } from 'node:stream'

/** Two ends of a line; what one writes waits until the other reads. */
export const line = () => {
  const make = (other: () => Duplex) => {
    let taken: (() => void) | undefined
    const end: Duplex & { takes?: () => void } = new Duplex({
      read: () => (other() as typeof end).takes?.(),
      write: (chunk, _, done) => {
        if (other().push(chunk)) done()
        else taken = done
      },
      final: (done) => {
        other().push(null)
        done()
      },
    })
    end.takes = () => {
      const done = taken
      taken = undefined
      done?.()
    }
    return end
  }
  const device: Duplex = make(() => gateway)
  const gateway: Duplex = make(() => device)
  return { device, gateway }
}

/** Lets what is under way come through. */
export const waitTurns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
