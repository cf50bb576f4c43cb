import type { Row } from '@campanile/contract/kit'
import { appPackage, appRelease, downloadApp, storeStatus } from '@campanile/contract/package'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, StateMark, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { downloadBy } from './app.ts'
import { AppQr } from './opened.ts'

type App = Row<typeof appPackage>

const tones = {
  [storeStatus.unpublished]: 'off',
  [storeStatus.unreviewed]: 'warning',
  [storeStatus.underReview]: 'warning',
  [storeStatus.published]: 'good',
  [storeStatus.rejected]: 'bad',
  [storeStatus.takenDown]: 'off',
} as const

const download = downloadBy(downloadApp)

/** One's own apps: uploaded here, released to devices, submitted to the store. */
export default function AppsScreen() {
  const list = useResourceList(appPackage)
  const reader = useReader(appPackage)
  const actions = useDeclaredActions(appPackage, list)
  const navigate = useNavigate()
  const [picture, setPicture] = useState<App>()
  const mayRelease = usePermitted(appRelease.perms.release)
  const mayDownload = usePermitted(downloadApp.perm)
  return (
    <>
      <ListScreen
        resource={appPackage}
        list={list}
        cells={{
          size: ({ size }: App) => sizeText(size, reader),
          storeStatus: ({ storeStatus: status }: App) => (
            <StateMark tone={tones[status]}>{reader.option('storeStatus', status)}</StateMark>
          ),
        }}
        rowButtons={[
          {
            label: 'releaseDetail.release',
            shown: () => mayRelease,
            run: ({ id }) => navigate(`/IOT/apk/release/${id}`),
          },
          { label: 'appPackage.action.download', shown: () => mayDownload, run: download },
          { label: 'appPackage.action.qr', shown: () => mayDownload, run: setPicture },
          ...actions.rowButtons,
        ]}
      />
      {actions.dialog}
      {picture && <AppQr app={picture} onClose={() => setPicture(undefined)} />}
    </>
  )
}
