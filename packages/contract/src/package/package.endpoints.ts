import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery } from '../kit/index.ts'
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

export const packageEndpoints = [downloadApp, downloadStoreApp]
