import { deviceGroup } from '@campanile/contract/device'
import { useQueryClient } from '@tanstack/react-query'
import { Input, Modal, Select } from 'antd'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { calls, useReader } from '../../../kit/index.ts'
import { DepartmentPicker } from '../../../kit/inputs/DepartmentPicker.tsx'
import { type Filters, filterTexts } from '../../../kit/list/listState.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { toast } from '../../../shell/feedback.ts'
import { groupOf } from './groupFilter.ts'

/** The filter somebody is looking at becomes a group that follows it. */
export function SaveAsGroup({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const reader = useReader(deviceGroup)
  const { t } = reader
  const queries = useQueryClient()
  const given = groupOf(filters)
  const form = useFields(
    { name: '', departmentId: given.departmentId, deviceType: given.deviceType, description: '' },
    {
      check: ({ name, departmentId, deviceType }) => ({
        ...(name.trim() === '' ? { name: t('kit.error.required') } : {}),
        ...(departmentId === null ? { departmentId: t('kit.error.format.department') } : {}),
        ...(deviceType === null ? { deviceType: t('kit.error.choose') } : {}),
      }),
    },
  )
  const save = async () => {
    const done = await form.submit(async ({ name, departmentId, deviceType, description }) => {
      if (departmentId === null || deviceType === null) return
      await calls.action(deviceGroup, 'saveFilter', {
        name,
        departmentId,
        deviceType,
        description,
        filter: filterTexts(given.filters),
      })
    })
    if (!done) return
    toast.success(t('deviceGroup.done.saveFilter', { name: form.values.name.trim() }))
    await queries.invalidateQueries({ queryKey: listKey(deviceGroup) })
    onClose()
  }
  return (
    <Modal open width={480} title={t('deviceGroup.saveAs.title')} footer={null} onCancel={onClose}>
      <DialogForm
        lead={t('deviceGroup.saveAs.lead')}
        submit={t('deviceGroup.action.saveFilter')}
        busy={form.busy}
        onSubmit={save}
        onCancel={onClose}
      >
        <Labelled {...form.field('name')} label={reader.field('name')} help={reader.help('name')} required>
          {(state) => (
            <Input
              {...state}
              count={{ show: true, max: deviceGroup.fields.name.max ?? 0 }}
              value={form.values.name}
              onChange={(event) => form.set('name', event.target.value)}
              onBlur={form.field('name').onBlur}
            />
          )}
        </Labelled>
        <Labelled {...form.field('departmentId')} label={reader.field('departmentId')} required>
          {(state) => (
            <DepartmentPicker
              id={state.id}
              label={reader.field('departmentId')}
              value={form.values.departmentId}
              onChange={(value) => form.set('departmentId', value)}
              invalid={state['aria-invalid']}
            />
          )}
        </Labelled>
        <Labelled
          {...form.field('deviceType')}
          label={reader.field('deviceType')}
          help={reader.help('deviceType')}
          required
        >
          {(state) => (
            <Select
              {...state}
              showSearch={{ optionFilterProp: 'label' }}
              value={form.values.deviceType}
              onChange={(value) => form.set('deviceType', value)}
              options={reader
                .codesOf('deviceType')
                .map((value) => ({ value, label: reader.code('deviceType', value) }))}
            />
          )}
        </Labelled>
        <Labelled {...form.field('description')} label={reader.field('description')}>
          {(state) => (
            <Input
              {...state}
              count={{ show: true, max: deviceGroup.fields.description.max ?? 0 }}
              value={form.values.description}
              onChange={(event) => form.set('description', event.target.value)}
            />
          )}
        </Labelled>
      </DialogForm>
    </Modal>
  )
}
