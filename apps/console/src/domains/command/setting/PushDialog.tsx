import { deviceSetting, pushSetting, settingDetail, type Target } from '@campanile/contract/command'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { DeviceTargetInput } from '../../device/pickers.tsx'
import { CommandData } from '../order/CommandData.tsx'
import { OrderBody, OrderButtons } from '../order/OrderBody.tsx'
import { useOrderSteps } from '../order/useOrderSteps.ts'

interface Props {
  setting: { id: number; name: string; version: number; deviceType: number | null }
  /** Who is meant to begin with. */
  start?: Target
  onClose: () => void
}

/** The newest version to devices or a group: seen before it is sent, followed to its end. */
export function PushDialog({ setting, start, onClose }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const queries = useQueryClient()
  const [target, setTarget] = useState<Target | undefined>(start)
  const { data } = useQuery({
    queryKey: [...listKey(deviceSetting), 'detail', setting.id],
    queryFn: ({ signal }) => calls.call(settingDetail, { id: setting.id }, { signal }),
  })
  const version = data?.version ?? setting.version
  const steps = useOrderSteps({
    command: 'configure',
    target,
    label: t('deviceSetting.action.push'),
    read: () => ({ args: { version, items: data?.items ?? {} } }),
    send: async ({ command: _command, args: _args, name: _name, description: _description, ...meant }) => {
      const made = await calls.call(pushSetting, { id: setting.id, ...meant })
      await queries.invalidateQueries({ queryKey: listKey(deviceSetting) })
      return made
    },
  })
  const { deviceType } = setting
  return (
    <Modal
      open
      width={640}
      title={t('deviceSetting.detail.pushTitle', { name: setting.name, version })}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={<OrderButtons steps={steps} onClose={onClose} />}
    >
      <OrderBody steps={steps}>
        <Labelled id={id} label={t('command.devices')} error={steps.nobody ? t('error.93017') : undefined} required>
          {(field) => (
            <DeviceTargetInput
              label={t('command.devices')}
              value={target}
              onChange={setTarget}
              invalid={field['aria-invalid']}
              describedBy={field['aria-describedby']}
              {...(deviceType ? { only: { deviceType: [deviceType] } } : {})}
            />
          )}
        </Labelled>
        {data && <CommandData args={data.items} />}
      </OrderBody>
    </Modal>
  )
}
