import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { device, deviceGroup } from '@campanile/contract/device'
import { savedViews } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { calls, usePermitted, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { describeError } from '../../../shell/errorText.ts'
import { MenuButton } from '../../../shell/menus/MenuButton.tsx'
import { PickDialog } from '../../device/pickers.tsx'
import type { NamedTarget } from '../tellDevices.tsx'
import { targetOfGroup, targetOfView } from './namedTargets.ts'
import { keyOf, type UsedTargets } from './useTargets.ts'

const groupsAtOnce = 30

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
      <div className="composer-chips" data-empty={chosen.length === 0}>
        {chosen.map((meant, at) => {
          const name = nameOf(meant)
          const count = countOf(meant, at)
          return (
            <span key={keyOf(meant)} className="chip composer-chip">
              <span>{name}</span>
              {count !== undefined && <strong className="figure">{reader.number(count)}</strong>}
              <button type="button" aria-label={t('composer.remove', { name })} onClick={() => targets.remove(at)}>
                <CloseOutlined />
              </button>
            </span>
          )
        })}
        {without.length > 0 && (
          <span className="chip composer-chip">
            <span>{t('composer.leftOut', { count: without.length, shown: reader.number(without.length) })}</span>
            <button type="button" aria-label={t('composer.takeBack')} onClick={targets.takeBack}>
              <CloseOutlined />
            </button>
          </span>
        )}
        {mayList && (
          <>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('list')}>
              {t('composer.choose')}
            </Button>
            <Button {...PickDialog.near} type="dashed" icon={<PlusOutlined />} onClick={() => setPicking('text')}>
              {t('composer.paste')}
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
          title={t('composer.choose')}
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

/** What has a name already. */
function ViewOrGroup({ onChoose }: { onChoose: (meant: NamedTarget) => void }) {
  const reader = useReader(deviceGroup)
  const { t } = reader
  const mayGroup = usePermitted(deviceGroup.perms.list)
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
    ...views.map((view) => [`view ${view.id}`, targetOfView(view)] as const),
    ...(groups?.rows ?? []).map((group) => [`group ${group.id}`, targetOfGroup(group)] as const),
  ])
  const under = (kind: 'view' | 'group') =>
    [...known].filter(([key]) => key.startsWith(kind)).map(([key, { label }]) => ({ key, label }))
  const section = (key: 'views' | 'groups', children: ReturnType<typeof under>) =>
    children.length > 0 ? [{ key, type: 'group' as const, label: t(`composer.${key}`), children }] : []
  const items = [...section('views', under('view')), ...section('groups', under('group'))]
  return (
    <MenuButton
      className="composer-add"
      content={{
        items: items.length > 0 ? items : [{ key: 'none', disabled: true, label: t('composer.noViews') }],
        choose: (key) => {
          const meant = known.get(key)
          if (meant) onChoose(meant)
        },
      }}
    >
      <PlusOutlined /> {t('composer.viewOrGroup')}
    </MenuButton>
  )
}
