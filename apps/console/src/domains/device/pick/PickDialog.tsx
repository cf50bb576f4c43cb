import type { Target } from '@campanile/contract/command'
import { device, deviceGroup, devicesMax } from '@campanile/contract/device'
import { Button, Modal, Tabs } from 'antd'
import { useState } from 'react'
import { usePermitted, useReader } from '../../../kit/index.ts'
import { ChosenSerials } from './ChosenSerials.tsx'
import { DeviceTicks } from './DeviceTicks.tsx'
import { GroupSelect } from './GroupSelect.tsx'
import { SerialReader } from './SerialReader.tsx'
import type { DeviceFilter } from './useDevicePage.ts'

interface Props {
  title: string
  value: Target | undefined
  only?: DeviceFilter | undefined
  groups: boolean
  /** The way shown first. */
  start?: Way
  /** May take its time; the dialog waits. */
  onChoose: (target: Target) => unknown
  onClose: () => void
}
type Way = 'list' | 'text' | 'file' | 'group'

/** The ways to name devices. Serials gather from the first three; a group is taken as a whole. */
export function PickDialog({ title, value, only = {}, groups, start = 'list', onChoose, onClose }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const mayList = usePermitted(device.perms.list)
  const mayGroup = usePermitted(deviceGroup.perms.list) && groups
  const [groupId, setGroupId] = useState(value && 'groupId' in value ? value.groupId : undefined)
  const [way, setWay] = useState<Way>(groupId !== undefined || !mayList ? 'group' : start)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(value && 'sns' in value ? value.sns : []))

  const toggle = (sns: readonly string[], on: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      for (const sn of sns) on ? next.add(sn) : next.delete(sn)
      return next
    })
  const read = (sns: readonly string[]) => toggle(sns, true)
  const sns = [...chosen]
  // Always said, so that nobody faces a grey button without a reason.
  const missing =
    way === 'group'
      ? groupId === undefined && t('devicePicker.chooseGroupFirst')
      : sns.length === 0
        ? t('devicePicker.chooseFirst')
        : sns.length > devicesMax && t('devicePicker.tooMany', { limit: reader.number(devicesMax) })
  const [busy, setBusy] = useState(false)
  const use = async () => {
    setBusy(true)
    if (way !== 'group') await onChoose({ sns })
    else if (groupId !== undefined) await onChoose({ groupId })
    setBusy(false)
  }
  const ways = [
    ...(mayList
      ? [
          { key: 'list', children: <DeviceTicks only={only} chosen={chosen} onToggle={toggle} /> },
          { key: 'text', children: <SerialReader by="text" onRead={read} /> },
          { key: 'file', children: <SerialReader by="file" onRead={read} /> },
        ]
      : []),
    ...(mayGroup
      ? [
          {
            key: 'group',
            children: (
              <GroupSelect
                label={t('devicePicker.group')}
                value={groupId}
                onChange={setGroupId}
                deviceType={only.deviceType}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <Modal
      open
      width={960}
      title={title}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="drawer-buttons">
          {missing && <span className="why">{missing}</span>}
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" disabled={missing !== false} loading={busy} onClick={use}>
            {way === 'group'
              ? t('devicePicker.useGroup')
              : t('devicePicker.use', { count: sns.length, shown: reader.number(sns.length) })}
          </Button>
        </div>
      }
    >
      {ways.length === 0 && <p className="list-state">{t('devicePicker.notPermitted')}</p>}
      <Tabs
        activeKey={way}
        onChange={(next) => setWay(next as Way)}
        items={ways.map((each) => ({
          key: each.key,
          label: t(`devicePicker.way.${each.key}`),
          children: <div className="pick-way">{each.children}</div>,
        }))}
      />
      {way !== 'group' && sns.length > 0 && <ChosenSerials sns={sns} onChange={(next) => setChosen(new Set(next))} />}
    </Modal>
  )
}
