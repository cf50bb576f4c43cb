import { type Endpoint, fileAnswer, type Resource } from '@campanile/contract'
import { z } from 'zod'
import { RawAnswer } from '../answer.ts'
import type { Kit } from '../route.ts'
import { describeApi } from './document.ts'
import { apiPage } from './page.ts'

const anyone = {
  perm: 'public',
  scope: 'public',
  module: 'server',
  logged: null,
  writes: false,
  method: 'GET',
} as const
const shape = { input: z.looseObject({}), answer: fileAnswer }

/** What the API is, for programs and for people. Nothing in it is secret: the declarations are public. */
export const mountOpenApi = (
  kit: Kit,
  resources: readonly Resource[],
  endpoints: readonly Endpoint[],
  version: string,
) => {
  let page: string | undefined
  let json: string | undefined
  const document = () => describeApi(resources, endpoints, version)
  kit.add({
    ...anyone,
    path: '/openapi.json',
    ...shape,
    run: () => {
      json ??= JSON.stringify(document())
      return new RawAnswer((reply) => reply.type('application/json').send(json))
    },
  })
  kit.add({
    ...anyone,
    path: '/docs',
    ...shape,
    run: () => {
      page ??= apiPage(document())
      return new RawAnswer((reply) => reply.type('text/html; charset=utf-8').send(page))
    },
  })
}
