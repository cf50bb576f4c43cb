import { type MenuNode, menu } from '@campanile/contract/identity'
import { FormDrawer, type OwnInputs } from '../../../kit/form/FormDrawer.tsx'
import { inputs as kinds } from '../../../kit/inputs/inputs.tsx'
import { IconPicker } from './IconPicker.tsx'
import { childType, lastOrder, leadsHere, toRow } from './menuTree.ts'
import { ParentPicker } from './ParentPicker.tsx'

interface Props {
  tree: readonly MenuNode[]
  node: MenuNode | undefined
  /** Where a new entry is added. */
  parent: MenuNode | undefined
  onClose: () => void
  onSaved: () => unknown
}

/** What a shipped entry opens and allows is the product's; its name, place and visibility are the administrator's. */
const ownOnly: OwnInputs[string] = (props) => {
  const shipped = props.row?.builtIn === true
  return (
    <>
      {kinds.mono({ ...props, disabled: props.disabled || shipped })}
      {shipped && <p className="field-help">{props.reader.t('menu.shipped')}</p>}
    </>
  )
}

export function MenuForm({ tree, node, parent, onClose, onSaved }: Props) {
  const inputs: OwnInputs = {
    url: ownOnly,
    perms: ownOnly,
    visible: (props) => {
      const kept = node?.visible === true && leadsHere(node)
      return (
        <>
          {kinds.switch({ ...props, disabled: props.disabled || kept })}
          {kept && <p className="field-help">{props.reader.t('menu.keptInSight')}</p>}
        </>
      )
    },
    icon: ({ id, name, value, onChange, disabled, reader }) => (
      <IconPicker
        id={id}
        label={reader.field(name)}
        value={typeof value === 'string' && value !== '' ? value : null}
        onChange={onChange}
        disabled={disabled}
      />
    ),
    parentId: ({ id, name, value, onChange, disabled, invalid, reader, values }) => (
      <ParentPicker
        id={id}
        label={reader.field(name)}
        tree={tree}
        type={(values.type ?? childType(undefined)) as MenuNode['type']}
        moving={node?.menuId}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
        disabled={disabled}
        invalid={invalid}
      />
    ),
  }
  return (
    <FormDrawer
      resource={menu}
      row={node === undefined ? undefined : toRow(node)}
      given={
        node === undefined
          ? { type: childType(parent), parentId: parent?.menuId ?? null, orderNum: lastOrder(parent?.list ?? tree) }
          : undefined
      }
      inputs={inputs}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}
