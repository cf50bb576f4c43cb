import type { AnswerOf, Field, Row } from '@campanile/contract/kit'
import { organisation, type organisationDetail } from '@campanile/contract/organisation'
import { renderCell } from '../../../kit/cells.tsx'
import { isShown } from '../../../kit/form/formValues.ts'
import { useReader } from '../../../kit/index.ts'
import type { AnyRow } from '../../../kit/reader.ts'
import { windowText } from '../../../kit/windowText.ts'

type Maintenance = AnswerOf<typeof organisationDetail>['maintenance']

/** What the server adds to what people fill in, beside the group it belongs to. */
const added: Record<string, readonly string[]> = { basics: ['createTime'], school: ['nextPromotion'] }
/** In the title line already. */
const said = ['name', 'type', 'parentId']

/** All fields as plain facts, grouped as in the form. A field whose condition does not hold has nothing to say. */
export function Facts({ row, maintenance }: { row: Row<typeof organisation>; maintenance: Maintenance }) {
  const reader = useReader(organisation)
  const fields = organisation.fields as Readonly<Record<string, Field>>
  const values = row as AnyRow
  const inForce = maintenance
    ? windowText(reader, { ...maintenance, of: maintenance.own ? null : maintenance.of })
    : reader.t('organisation.view.noMaintenance')
  const groups = Object.entries(organisation.form)
    .map(([group, names]) => {
      const shown = names.filter((name) => !said.includes(name) && isShown(organisation, name, values))
      return { group, names: shown.length > 0 ? [...shown, ...(added[group] ?? [])] : [] }
    })
    .filter(({ names }) => names.length > 0)
  return (
    <section className="card facts-card">
      {groups.map(({ group, names }) => (
        <div key={group} className="facts-group">
          <h2>{reader.group(group)}</h2>
          <dl className="facts">
            {names.map((name) => {
              const field = fields[name]
              return field ? (
                <div key={name}>
                  <dt>{reader.field(name)}</dt>
                  <dd>{renderCell({ value: values[name], row: values, name, field, reader })}</dd>
                </div>
              ) : null
            })}
            {group === 'maintenance' && (
              <div>
                <dt>{reader.t('organisation.view.maintenance')}</dt>
                <dd>{inForce}</dd>
              </div>
            )}
          </dl>
        </div>
      ))}
    </section>
  )
}
