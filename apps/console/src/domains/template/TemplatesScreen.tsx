import type { Row } from '@campanile/contract/kit'
import { configTemplate, templateRelease } from '@campanile/contract/template'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { askList } from '../../kit/list/useResourceList.ts'
import { releaseItem } from '../release/pickers.tsx'

type Template = Row<typeof configTemplate>

export const ask = (search: string) => askList(configTemplate, search)

const devicesOf = ({ id }: Pick<Template, 'id'>, state?: 'differs') =>
  `/config/template/devices/${id}${state ? `?state=${state}` : ''}`

/** How devices are to be set up: applied wave by wave, and looked after afterwards. */
export default function TemplatesScreen() {
  const list = useResourceList(configTemplate)
  const reader = useReader(configTemplate)
  const actions = useDeclaredActions(configTemplate, list)
  const navigate = useNavigate()
  const mayApply = usePermitted(templateRelease.perms.release)
  const cells = useMemo(
    () => ({
      deviceCount: (row: Template) =>
        row.deviceCount > 0 ? (
          <Link className="figure" to={devicesOf(row)}>
            {reader.number(row.deviceCount)}
          </Link>
        ) : (
          <span className="figure">0</span>
        ),
      differCount: ({ differCount }: Template) =>
        differCount > 0 ? (
          <StateMark tone="warning">{reader.number(differCount)}</StateMark>
        ) : (
          <span className="figure">0</span>
        ),
    }),
    [reader],
  )
  return (
    <>
      <ListScreen
        resource={configTemplate}
        list={list}
        cells={cells}
        rowButtons={[
          {
            label: 'configTemplate.apply',
            shown: () => mayApply,
            run: ({ id, name, version }) =>
              releaseItem({ kind: 'template', item: { id, name, version: String(version) } }),
          },
          { label: 'configTemplate.devices', run: (row) => navigate(devicesOf(row)) },
          ...actions.rowButtons,
        ]}
      />
      {actions.dialog}
    </>
  )
}
