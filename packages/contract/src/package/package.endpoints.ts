import { z } from 'zod'
import { packageName } from '../command/device.commands.ts'
import { defineEndpoint, fileAnswer, idInQuery, idOf, rowOf } from '../kit/index.ts'
import { createRelease, releaseOrder } from '../release/release.endpoints.ts'
import { appRelease } from './app.release.ts'
import { appPackage } from './app-package.resource.ts'
import { storeApp } from './store-app.resource.ts'

/** The file of an app, for whoever may keep it. */
export const downloadApp = defineEndpoint({
  name: 'downloadApp',
  method: 'GET',
  path: '/api/v3/device/apk/packages/download',
  perm: 'iot:apk:download',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => appPackage) }),
  answer: fileAnswer,
})

/** An app, and the versions of it that there are, the newest first. */
export const appDetail = defineEndpoint({
  name: 'appDetail',
  method: 'GET',
  path: '/api/v3/device/apk/packages/detail',
  perm: 'iot:apk:list',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => appPackage) }),
  answer: z.object({
    row: rowOf(() => appPackage),
    versions: z.array(z.object({ id: z.number().int(), version: z.string(), createTime: z.string() })),
  }),
})

/** Where its file is fetched without a session, for a while: a device or a phone reads it from a picture. */
export const linkApp = defineEndpoint({
  name: 'linkApp',
  method: 'GET',
  path: '/api/v3/device/apk/packages/link',
  perm: 'iot:apk:download',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => appPackage) }),
  /** A path of this server, and when it ends. */
  answer: z.object({ path: z.string(), until: z.string() }),
})

/** The file of an app in the store. */
export const downloadStoreApp = defineEndpoint({
  name: 'downloadStoreApp',
  method: 'GET',
  path: '/api/v3/device/apk/store/download',
  perm: 'iot:store:list',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => storeApp) }),
  answer: fileAnswer,
})

const { kind: _kind, itemId: _itemId, given: _given, ...order } = releaseOrder
/** As `createRelease` does for apps: one version by its id, or the newest of a package by its name. */
export const releaseApp = defineEndpoint({
  name: 'releaseApp',
  method: 'POST',
  path: '/api/v3/device/apk/packages/release',
  perm: appRelease.perms.release,
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({
    ...order,
    id: idOf(() => appPackage).optional(),
    packageName: packageName().schema.optional(),
    partly: z.boolean().optional(),
    description: z.string().trim().max(256).optional(),
  }),
  answer: createRelease.answer,
})

export const packageEndpoints = [appDetail, downloadApp, linkApp, downloadStoreApp, releaseApp]
