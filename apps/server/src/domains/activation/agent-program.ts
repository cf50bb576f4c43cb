import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AppError, commonErrors } from '@campanile/contract'
import { RawAnswer } from '../../kit/answer.ts'

// Beside the server, seen from its bundle and from its source.
const program = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../../../agent/dist/agent.js', import.meta.url)
    : new URL('../../agent/dist/agent.js', import.meta.url),
)

/** The agent of this very version, so that a device needs nothing but Node and the server's address. */
export const sendAgent = async () => {
  const found = await stat(program).catch(() => undefined)
  if (!found) throw new AppError(commonErrors.resourceNotFound)
  return new RawAnswer((reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('content-length', found.size)
      .header('content-disposition', 'attachment; filename="campanile-agent.mjs"')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-cache')
      .send(createReadStream(program)),
  )
}
