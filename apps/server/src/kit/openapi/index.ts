import type { Endpoint, Resource } from '@campanile/contract'
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
const input = z.looseObject({})

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
    input,
    run: () => {
      json ??= JSON.stringify(document())
      return new RawAnswer((reply) => reply.type('application/json').send(json))
    },
  })
  kit.add({
    ...anyone,
    path: '/docs',
    input,
    run: () => {
      page ??= apiPage(document())
      return new RawAnswer((reply) => reply.type('text/html; charset=utf-8').send(page))
    },
  })
}
