import { PlusOutlined } from '@ant-design/icons'
import { device, devicesMax } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { Chip } from '../../../kit/compose/Chip.tsx'
import { usePermitted, useReader } from '../../../kit/index.ts'
import { DepartmentPicker } from '../../../kit/inputs/DepartmentPicker.tsx'
import { departmentQuery } from '../../../kit/inputs/departmentNodes.ts'
import { queryClient } from '../../../shell/queryClient.ts'
import { PickDialog, SelectionTable, ViewOrGroup } from '../../device/pickers.tsx'
import { keyOf, type Whom as UsedWhom } from './useWhom.ts'

/** Who is meant: chips of what has a name, and a table of devices chosen one by one. */
export function Whom({ whom, wanted }: { whom: UsedWhom; wanted: boolean }) {
  const reader = useReader(device)
  const { t } = reader
  const mayList = usePermitted(device.perms.list)
  const [picking, setPicking] = useState<'list' | 'file'>()
  const [placing, setPlacing] = useState(false)
  const { named, sns, without } = whom
  const nobody = named.length === 0 && sns.length === 0
  const tooMany = sns.length > devicesMax
  const addDepartment = async (id: number | null) => {
    if (id === null) return
    setPlacing(false)
    const [node] = await queryClient.fetchQuery(departmentQuery({ ids: [id] }))
    whom.add({ departmentId: id, label: node?.name ?? t('kit.value.outOfReach') })
  }
  return (
    <>
      <div className="compose-chips">
        {named.map((meant) => (
          <Chip
            key={keyOf(meant)}
            name={meant.label}
            remove={t('compose.remove', { name: meant.label })}
            onRemove={() => whom.remove(meant)}
          />
        ))}
        {without.length > 0 && (
          <Chip
            name={t('compose.leftOut', { count: without.length, shown: reader.number(without.length) })}
            remove={t('compose.takeBack')}
            onRemove={whom.takeBack}
          />
        )}
        {mayList && (
          <>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('list')}>
              {t('devicePicker.choose')}
            </Button>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('file')}>
              {t('deviceSelection.import')}
            </Button>
          </>
        )}
        <ViewOrGroup all onChoose={whom.add} />
        <Button type="dashed" icon={<PlusOutlined />} aria-expanded={placing} onClick={() => setPlacing(!placing)}>
          {t('wizard.department')}
        </Button>
      </div>
      {placing && (
        <DepartmentPicker label={t('wizard.department')} value={null} onChange={(id) => void addDepartment(id)} />
      )}
      {tooMany && (
        <p className="field-error" role="alert">
          {t('wizard.tooMany', { limit: reader.number(devicesMax) })}
        </p>
      )}
      {sns.length > 0 && <SelectionTable beside sns={sns} onRemove={whom.removeSerials} onClear={whom.clearSerials} />}
      {nobody && (
        <p className={wanted ? 'field-error' : 'field-help'} {...(wanted ? { role: 'alert' } : {})}>
          {t('wizard.nobody')}
        </p>
      )}
      {picking && (
        <PickDialog
          title={t('devicePicker.choose')}
          value={undefined}
          groups={false}
          start={picking}
          onChoose={(target) => {
            if ('sns' in target) whom.addSerials(target.sns)
            setPicking(undefined)
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  )
}
