import { PlusOutlined } from '@ant-design/icons'
import { device } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { Chip } from '../../../kit/compose/Chip.tsx'
import { usePermitted, useReader } from '../../../kit/index.ts'
import { describeError } from '../../../shell/errorText.ts'
import { PickDialog, ViewOrGroup } from '../../device/pickers.tsx'
import type { NamedTarget } from '../tellDevices.tsx'
import { keyOf, type UsedTargets } from './useTargets.ts'

/** Who is meant: chips with their own figures, and the ways to add more. */
export function Targets({ targets, wanted }: { targets: UsedTargets; wanted: boolean }) {
  const reader = useReader(device)
  const { t } = reader
  const [picking, setPicking] = useState<'list' | 'text'>()
  const mayList = usePermitted(device.perms.list)
  const { chosen, facts, without, error } = targets
  const failure = error ? describeError(error) : undefined
  const nameOf = (meant: NamedTarget) => {
    if (meant.label !== undefined) return meant.label
    if ('groupId' in meant) return t('command.from.group', { id: meant.groupId })
    if ('filter' in meant) return t('command.from.filter')
    return meant.sns.length === 1 ? String(meant.sns[0]) : t('command.from.sns')
  }
  const countOf = (meant: NamedTarget, at: number): number | undefined =>
    facts?.each[at] ?? ('sns' in meant ? meant.sns.length : undefined)
  return (
    <>
      <div className="compose-chips" data-empty={chosen.length === 0}>
        {chosen.map((meant, at) => {
          const name = nameOf(meant)
          const count = countOf(meant, at)
          return (
            <Chip
              key={keyOf(meant)}
              name={name}
              count={count === undefined ? undefined : reader.number(count)}
              remove={t('compose.remove', { name })}
              onRemove={() => targets.remove(at)}
            />
          )
        })}
        {without.length > 0 && (
          <Chip
            name={t('compose.leftOut', { count: without.length, shown: reader.number(without.length) })}
            remove={t('compose.takeBack')}
            onRemove={targets.takeBack}
          />
        )}
        {mayList && (
          <>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('list')}>
              {t('devicePicker.choose')}
            </Button>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('text')}>
              {t('devicePicker.way.text')}
            </Button>
          </>
        )}
        <ViewOrGroup onChoose={(meant) => targets.add([meant])} />
      </div>
      {chosen.length === 0 && (
        <p className={wanted ? 'field-error' : 'field-help'} {...(wanted ? { role: 'alert' } : {})}>
          {t('composer.nobody')}
        </p>
      )}
      {failure && (
        <p className="field-error" role="alert">
          {failure.title} · {failure.text}
        </p>
      )}
      {picking && (
        <PickDialog
          title={t('devicePicker.choose')}
          value={undefined}
          groups
          start={picking}
          onChoose={(target) => {
            targets.add('targets' in target ? target.targets : [target])
            setPicking(undefined)
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  )
}
