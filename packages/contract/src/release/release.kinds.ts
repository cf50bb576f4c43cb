import { firmwareRelease } from '../firmware/firmware.release.ts'
import { fieldsForm, type Resource } from '../kit/index.ts'
import { appRelease } from '../package/app.release.ts'
import { posterRelease } from '../poster/poster.release.ts'
import { promotionRelease } from '../poster/promotion.release.ts'
import { resourceRelease } from '../resource/resource.release.ts'
import { templateRelease } from '../template/template.release.ts'
import type { ReleaseKindSpec } from './release.kind.ts'

/** Every kind of item that is released, by its word; a room adds its own. */
export const releaseKindSpecs = {
  app: appRelease,
  firmware: firmwareRelease,
  promotion: promotionRelease,
  poster: posterRelease,
  resource: resourceRelease,
  template: templateRelease,
} as const satisfies Record<string, ReleaseKindSpec>
export type ReleaseKind = keyof typeof releaseKindSpecs
export const releaseKinds = Object.keys(releaseKindSpecs) as [ReleaseKind, ...ReleaseKind[]]

/** What is declared of a kind; nothing of one that there is not. */
export const releaseKindSpec = (kind: string): ReleaseKindSpec | undefined =>
  Object.hasOwn(releaseKindSpecs, kind) ? releaseKindSpecs[kind as ReleaseKind] : undefined

/** What an order of a kind says of it alone, as a form. */
export const givenForm = (kind: ReleaseKind): Resource =>
  fieldsForm('releaseGiven', releaseKindSpec(kind)?.fields ?? {})

/** Every action of every kind. */
export const releaseActionWords = [
  ...new Set(Object.values<ReleaseKindSpec>(releaseKindSpecs).flatMap(({ actions }) => actions)),
] as [string, ...string[]]
