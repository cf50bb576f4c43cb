import { type ReleaseKind, type ReleaseKindSpec, releaseKindSpecs } from '@campanile/contract/release'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermitted } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { SelectionButtons, SelectionCard, type SelectionPurpose, useSelection } from '../../device/pickers.tsx'
import { nearReleasing, type Releasing, releaseItem } from '../releaseItem.tsx'
import './batch.css'

interface Props {
  kind: ReleaseKind
  purpose: SelectionPurpose
  title: string
  /** What is released; nothing while it is still to be chosen. */
  item: Releasing['item'] | undefined
  /** From the screen that many are gathered on, which has a permission of its own. */
  batch?: boolean
  /** Says or asks what is released, and that it is missing once somebody has tried without. */
  children: (wanted: boolean) => ReactNode
}

/** Devices are gathered for one item, and the wizard is opened with them. */
export function ReleasePage({ kind, purpose, title, item, batch = false, children }: Props) {
  const { t, i18n } = useTranslation()
  const spec: ReleaseKindSpec = releaseKindSpecs[kind]
  const mayRelease = usePermitted(spec.perms.release)
  const mayBatch = usePermitted(spec.perms.batch)
  const selection = useSelection(purpose)
  const [pressed, setPressed] = useState(false)
  const { sns, tooMany } = selection
  const counted = { count: sns.length, shown: new Intl.NumberFormat(i18n.language).format(sns.length) }
  const release = () => {
    setPressed(true)
    if (item && sns.length > 0 && !tooMany) releaseItem({ kind, item, sns, batch })
  }
  return (
    <Page
      title={title}
      sub={t('deviceSelection.count', counted)}
      actions={
        <>
          <SelectionButtons selection={selection} />
          {mayRelease && (mayBatch || !batch) && (
            <Button {...nearReleasing} type="primary" onClick={release}>
              {sns.length === 0 ? t('releaseBatch.release') : t('releaseBatch.releaseTo', counted)}
            </Button>
          )}
        </>
      }
    >
      <div className="release-batch">
        {children(pressed)}
        <SelectionCard
          selection={selection}
          tooMany={spec.errors.tooMany.code}
          {...(pressed && { none: spec.errors.noneSelected.code })}
        />
      </div>
    </Page>
  )
}
