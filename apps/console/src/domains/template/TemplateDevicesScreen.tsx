import type { Row } from '@campanile/contract/kit'
import { configTemplate, templateDevice, templateRelease } from '@campanile/contract/template'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { calls, ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { listKey } from '../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../shell/Page.tsx'
import { releaseItem } from '../release/pickers.tsx'

type Device = Row<typeof templateDevice>
const tones = { same: 'good', differs: 'bad', outdated: 'warning' } as const

/** The devices a template was applied to: which of them keep to it, and what the others have instead. */
export default function TemplateDevicesScreen() {
  const id = Number(useParams().id)
  const list = useResourceList(templateDevice, { fixed: { templateId: id } })
  const reader = useReader(templateDevice)
  const mayApply = usePermitted(templateRelease.perms.release)
  const { data: template } = useQuery({
    queryKey: [...listKey(configTemplate), 'one', id],
    queryFn: async ({ signal }) => (await calls.list(configTemplate, { ids: [id] }, { signal })).rows[0] ?? null,
  })
  useTabTitle(template?.name, true)
  const cells = useMemo(
    () => ({
      state: ({ state }: Device) => <StateMark tone={tones[state]}>{reader.option('state', state)}</StateMark>,
      instead: ({ instead }: Device) => instead && <span className="mono">{instead}</span>,
      before: ({ before }: Device) => before && <span className="mono">{before}</span>,
    }),
    [reader],
  )
  const release = (action: 'apply' | 'undo', sn: string) => {
    if (!template) return
    const { name, version } = template
    releaseItem({ kind: 'template', item: { id, name, version: String(version) }, action, sns: [sn] })
  }
  return (
    <ListScreen
      resource={templateDevice}
      list={list}
      cells={cells}
      rowButtons={[
        {
          label: 'configTemplate.applyAgain',
          shown: ({ state }) => mayApply && state !== 'same',
          run: ({ sn }) => release('apply', sn),
        },
        { label: 'configTemplate.undo', shown: () => mayApply, run: ({ sn }) => release('undo', sn) },
      ]}
    />
  )
}
