import { PlusOutlined } from '@ant-design/icons'
import { device, deviceGroup } from '@campanile/contract/device'
import { savedViews } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { calls, usePermitted, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { MenuButton } from '../../../shell/menus/MenuButton.tsx'
import { type NamedDevices, targetOfGroup, targetOfView } from './namedTargets.ts'

const groupsAtOnce = 50

interface Props {
  /** Whether every device within reach may be meant at once. */
  all?: boolean
  onChoose: (meant: NamedDevices) => void
}

/** What has a name already: all that a saved view shows at that moment, a group, every device one reaches. */
export function ViewOrGroup({ all = false, onChoose }: Props) {
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
  const known = new Map<string, NamedDevices>([
    ...(all && mayList ? [['all', { filter: {}, label: t('devicePicker.everyDevice') }] as const] : []),
    ...views.map((view) => [`view ${view.id}`, targetOfView(view)] as const),
    ...(groups?.rows ?? []).map((group) => [`group ${group.id}`, targetOfGroup(group)] as const),
  ])
  const under = (kind: 'all' | 'view' | 'group') =>
    [...known].filter(([key]) => key.startsWith(kind)).map(([key, { label }]) => ({ key, label }))
  const section = (key: 'views' | 'groups', children: ReturnType<typeof under>) =>
    children.length > 0 ? [{ key, type: 'group' as const, label: t(`devicePicker.${key}`), children }] : []
  const items = [...under('all'), ...section('views', under('view')), ...section('groups', under('group'))]
  return (
    <MenuButton
      className="compose-add"
      content={{
        items: items.length > 0 ? items : [{ key: 'none', disabled: true, label: t('devicePicker.noViews') }],
        choose: (key) => {
          const meant = known.get(key)
          if (meant) onChoose(meant)
        },
      }}
    >
      <PlusOutlined /> {t('devicePicker.viewOrGroup')}
    </MenuButton>
  )
}
