import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery, rowOf } from '../kit/index.ts'
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

export const packageEndpoints = [appDetail, downloadApp, linkApp, downloadStoreApp]
