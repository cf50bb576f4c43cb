import { device, devicesMax } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { usePermitted, useReader } from '../../../kit/index.ts'
import { PickDialog } from '../pick/opened.ts'
import { SelectionTable } from './SelectionTable.tsx'
import type { Selection } from './useSelection.ts'
import '../../../kit/cards.css'
import '../../../kit/kit.css'

interface Props {
  selection: Selection
  /** The code that the server has for more than it takes at once. */
  tooMany: number
  /** The code for nobody, once something was to be done to nobody. */
  none?: number
}

/** Devices that were gathered for something: added by ticking, pasting or reading a file, looked through, taken out. */
export function SelectionCard({ selection, tooMany, none }: Props) {
  const { t, number } = useReader(device)
  const { sns } = selection
  return (
    <section className="card selection-card" aria-label={t('deviceSelection.title')}>
      <h2>{t('deviceSelection.title')}</h2>
      {selection.tooMany && (
        <p className="field-error" role="alert">
          {t(`error.${tooMany}`, { limit: number(devicesMax) })} ({tooMany})
        </p>
      )}
      {sns.length > 0 ? (
        <SelectionTable sns={sns} onRemove={selection.remove} onClear={selection.clear} />
      ) : (
        <>
          {none !== undefined && (
            <p className="field-error" role="alert">
              {t(`error.${none}`)} ({none})
            </p>
          )}
          <p className="card-empty">{t('deviceSelection.none')}</p>
        </>
      )}
    </section>
  )
}

/** The ways to add to them, for the title line of a page. */
export function SelectionButtons({ selection }: Pick<Props, 'selection'>) {
  const { t } = useReader(device)
  const mayList = usePermitted(device.perms.list)
  const [picking, setPicking] = useState<'list' | 'file'>()
  if (!mayList) return null
  return (
    <>
      <Button {...PickDialog.near} onClick={() => setPicking('file')}>
        {t('deviceSelection.import')}
      </Button>
      <Button {...PickDialog.near} onClick={() => setPicking('list')}>
        {t('deviceSelection.add')}
      </Button>
      {picking && (
        <PickDialog
          title={t('deviceSelection.add')}
          value={undefined}
          groups={false}
          start={picking}
          onChoose={(target) => {
            if ('sns' in target) selection.add(target.sns)
            setPicking(undefined)
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  )
}
