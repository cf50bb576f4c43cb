import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { device, deviceGroup, devicesMax } from '@campanile/contract/device'
import { savedViews } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { calls, usePermitted, useReader } from '../../../kit/index.ts'
import { DepartmentPicker } from '../../../kit/inputs/DepartmentPicker.tsx'
import { departmentQuery } from '../../../kit/inputs/departmentNodes.ts'
import { filterTexts, readListState } from '../../../kit/list/listState.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { MenuButton } from '../../../shell/menus/MenuButton.tsx'
import { queryClient } from '../../../shell/queryClient.ts'
import { PickDialog } from '../../device/pickers.tsx'
import type { NamedTarget } from '../releaseItem.tsx'
import { BatchTable } from './BatchTable.tsx'
import { keyOf, type Whom as UsedWhom } from './useWhom.ts'

const groupsAtOnce = 50

/** Who is meant: chips of what has a name, and a table of devices chosen one by one. */
export function Whom({ whom, wanted }: { whom: UsedWhom; wanted: boolean }) {
  const reader = useReader(device)
  const { t } = reader
  const mayList = usePermitted(device.perms.list)
  const [picking, setPicking] = useState<'list' | 'text' | 'file'>()
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
      <div className="releasing-chips" data-empty={nobody}>
        {named.map((meant) => (
          <span key={keyOf(meant)} className="chip releasing-chip">
            <span className="chip-text">{meant.label}</span>
            <button
              type="button"
              aria-label={t('wizard.remove', { name: meant.label })}
              onClick={() => whom.remove(meant)}
            >
              <CloseOutlined />
            </button>
          </span>
        ))}
        {without.length > 0 && (
          <span className="chip releasing-chip">
            <span className="chip-text">
              {t('wizard.leftOut', { count: without.length, shown: reader.number(without.length) })}
            </span>
            <button type="button" aria-label={t('wizard.takeBack')} onClick={whom.takeBack}>
              <CloseOutlined />
            </button>
          </span>
        )}
        {mayList && (
          <>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('list')}>
              {t('wizard.choose')}
            </Button>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('file')}>
              {t('wizard.import')}
            </Button>
          </>
        )}
        <ViewOrGroup onChoose={whom.add} />
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
      {sns.length > 0 && <BatchTable sns={sns} onRemove={whom.removeSerials} onClear={whom.clearSerials} />}
      {nobody && (
        <p className={wanted ? 'field-error' : 'field-help'} {...(wanted ? { role: 'alert' } : {})}>
          {t('wizard.nobody')}
        </p>
      )}
      {picking && (
        <PickDialog
          title={t('wizard.choose')}
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

/** What has a name already: all that a saved view shows at that moment, a group, every device one reaches. */
function ViewOrGroup({ onChoose }: { onChoose: (meant: NamedTarget) => void }) {
  const { t } = useReader(deviceGroup)
  const mayGroup = usePermitted(deviceGroup.perms.list)
  const mayList = usePermitted(device.perms.list)
  const wire = { sort: 'name', page: 1, pageSize: groupsAtOnce }
  const { data: views = [] } = useQuery({
    queryKey: ['savedViews', device.name],
    queryFn: async () => (await calls.call(savedViews, { resource: device.name })).rows,
    staleTime: 60_000,
  })
  const { data: groups } = useQuery({
    queryKey: [...listKey(deviceGroup), wire],
    queryFn: ({ signal }) => calls.list(deviceGroup, wire, { signal }),
    enabled: mayGroup,
  })
  const known = new Map<string, NamedTarget>([
    ...(mayList ? [['all', { filter: {}, label: t('wizard.everyDevice') }] as const] : []),
    ...views.map(
      ({ id, name, state }) =>
        [
          `view ${id}`,
          {
            filter: filterTexts(readListState(device, state.search, { sort: '', pageSize: 1 }).filters),
            label: name,
          },
        ] as const,
    ),
    ...(groups?.rows ?? []).map(({ id, name }) => [`group ${id}`, { groupId: id, label: name }] as const),
  ])
  const under = (kind: string) =>
    [...known].filter(([key]) => key.startsWith(kind)).map(([key, { label }]) => ({ key, label }))
  const section = (key: 'views' | 'groups', children: ReturnType<typeof under>) =>
    children.length > 0 ? [{ key, type: 'group' as const, label: t(`wizard.${key}`), children }] : []
  return (
    <MenuButton
      className="releasing-add"
      content={{
        items: [...under('all'), ...section('views', under('view')), ...section('groups', under('group'))],
        choose: (key) => {
          const meant = known.get(key)
          if (meant) onChoose(meant)
        },
      }}
    >
      <PlusOutlined /> {t('wizard.viewOrGroup')}
    </MenuButton>
  )
}
