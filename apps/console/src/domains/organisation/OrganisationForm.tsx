import { organisation } from '@campanile/contract/organisation'
import { useQueryClient } from '@tanstack/react-query'
import { Alert } from 'antd'
import { FormDrawer } from '../../kit/form/FormDrawer.tsx'
import type { InputProps } from '../../kit/inputs/input-props.ts'
import { inputs } from '../../kit/inputs/inputs.tsx'
import type { AnyRow } from '../../kit/reader.ts'
import { showError } from '../../shell/feedback.ts'
import { loadNavigation } from '../../shell/navigation/navigation.ts'
import { nextRun } from './nextRun.ts'
import { TypeInput } from './TypeInput.tsx'
import { forgetTree } from './useOrganisationNode.ts'

interface Props {
  row?: AnyRow | undefined
  /** A new one below this organisation. */
  parentId?: number | undefined
  onClose: () => void
}

const idOf = (value: unknown) => (typeof value === 'number' ? value : null)

/** The declared form; only the type, which depends on the parent, and the promotion date are peculiar. */
export function OrganisationForm({ row, parentId, onClose }: Props) {
  const queries = useQueryClient()
  return (
    <FormDrawer
      resource={organisation}
      row={row}
      given={{ parentId }}
      onClose={onClose}
      onSaved={async () => {
        await forgetTree(queries)
        // It may be the organisation one works in, or one above it, that uses other modules now.
        await loadNavigation().catch(showError)
      }}
      inputs={{
        type: (props) => <TypeInput {...props} parentId={idOf(props.values.parentId)} />,
        promotionDate: (props) => <PromotionDate {...props} />,
        institutionId: (props) => <InstitutionId {...props} />,
      }}
    />
  )
}

function PromotionDate(props: InputProps) {
  const date = typeof props.value === 'string' ? nextRun(props.value, new Date()) : undefined
  return (
    <>
      {inputs.monthDay(props)}
      {date !== undefined && (
        <div className="field-help" role="status">
          {props.reader.t('organisation.nextRun', { date })}
        </div>
      )}
    </>
  )
}

/** The bank knows the school by the name registered with the id; here nobody can look that up. */
function InstitutionId(props: InputProps) {
  return (
    <>
      {inputs.mono(props)}
      {props.value ? <Alert type="warning" showIcon title={props.reader.t('organisation.nameWarning')} /> : null}
    </>
  )
}
