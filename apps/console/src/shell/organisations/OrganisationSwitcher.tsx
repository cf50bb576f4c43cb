import { Popover } from 'antd'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import { later } from '../later.tsx'
import { useSession } from '../session/session.ts'
import { closeOrganisationSwitcher, useSwitcher } from './switcherState.ts'
import './organisations.css'

const SwitcherPanel = later(async () => (await import('./SwitcherPanel.tsx')).SwitcherPanel)

/** Which organisation is operated on, at all times; opens the tree to choose another. */
export function OrganisationSwitcher() {
  const { t } = useTranslation()
  const open = useSwitcher((state) => state.open)
  const user = useSession((state) => state.session?.user)
  if (user === undefined) return null
  const { operating } = user
  const name = operating?.departmentName ?? user.departmentName
  const type = operating?.departmentType ?? user.departmentType
  return (
    <Popover
      open={open}
      onOpenChange={(next) => useSwitcher.setState({ open: next })}
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      destroyOnHidden
      content={<SwitcherPanel onClose={closeOrganisationSwitcher} />}
    >
      <button
        {...SwitcherPanel.near}
        type="button"
        className="switcher"
        data-elsewhere={operating !== null}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={operating?.path.map((each) => each.name).join(' / ')}
      >
        <Icon name="organisation" />
        {operating !== null && <span className="switcher-badge">{t('shell.organisation.operating')}</span>}
        <span className="switcher-name">{name}</span>
        <span className="switcher-type">{t(`shell.organisation.type.${type}`)}</span>
        <Icon name="down" size={14} />
      </button>
    </Popover>
  )
}
