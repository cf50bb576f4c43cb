import { userType } from '@campanile/contract/identity'
import { childTypes, type OrganisationType, organisationType } from '@campanile/contract/organisation'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import type { InputProps } from '../../kit/inputs/input-props.ts'
import { useSession } from '../../shell/session/session.ts'
import { refusalText, typeRefusal } from './refusal.ts'
import { useOrganisationNode } from './useOrganisationNode.ts'

interface Props extends InputProps {
  parentId: number | null
}

/** Offers only the types that may stand under the chosen parent; a type that no longer fits is dropped, with the reason. */
export function TypeInput({ parentId, value, onChange, reader, name, ...props }: Props) {
  const { t } = reader
  const parent = useOrganisationNode(parentId)
  const mayAddEnterprise = useSession(({ session }) => session?.user.type === userType.super)
  const [dropped, setDropped] = useState<string>()

  const offered = parent ? childTypes(parent.type as OrganisationType) : []
  const refused = parent && typeof value === 'number' ? typeRefusal(value, parent.type) : undefined
  // Locked after saving: the parent is then above question.
  const unfit = refused !== undefined && !props.disabled
  useEffect(() => {
    if (!unfit || !refused) return
    setDropped(refusalText(refused, t))
    onChange(null)
  })
  const options = (props.disabled && typeof value === 'number' ? [value] : offered).map((type) => {
    const denied = type === organisationType.enterprise && !mayAddEnterprise
    const label = reader.option(name, type)
    return {
      value: type,
      disabled: denied,
      label: denied ? `${label} · ${t('organisation.refusal.enterprise')}` : label,
    }
  })
  const nothing = parent && offered.length === 0 ? { reason: 'nothingBelow' as const, parent: parent.type } : undefined
  return (
    <>
      <Select
        id={props.id}
        className="whole"
        disabled={props.disabled || parentId === null}
        {...(props.invalid ? { status: 'error' as const } : {})}
        aria-invalid={props.invalid}
        aria-required
        aria-describedby={props.describedBy}
        aria-label={reader.field(name)}
        value={typeof value === 'number' ? value : undefined}
        placeholder={parentId === null ? t('organisation.typeNeedsParent') : undefined}
        onChange={(type) => {
          setDropped(undefined)
          onChange(type)
        }}
        onBlur={props.onBlur}
        options={options}
        notFoundContent={nothing && refusalText(nothing, t)}
      />
      {dropped !== undefined && (
        <div className="field-error" role="status">
          {dropped}
        </div>
      )}
    </>
  )
}
