import { DownOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '../../../shell/menus/ActionMenu.tsx'
import { type CommandItem, nearTelling, tell, useCommands } from '../../command/pickers.tsx'

/** One entry a command, under what it belongs to; what destroys is last and red. */
const inGroups = (commands: readonly CommandItem[], nameOf: (kind: CommandItem['kind']) => string) =>
  [...new Set(commands.map(({ kind }) => kind))].map((kind) => ({
    key: kind,
    type: 'group' as const,
    label: nameOf(kind),
    children: commands.filter((each) => each.kind === kind).map(({ key, label, danger }) => ({ key, label, danger })),
  }))

/** What may be said to this device as it stands: what is asked for most as buttons, all of it in a menu. */
export function CommandButtons({ sn, locked, kiosk }: { sn: string; locked: boolean; kiosk: boolean }) {
  const { t } = useTranslation()
  const commands = useCommands({ total: 1, locked: locked ? 1 : 0, kiosk: kiosk ? 1 : 0 })
  if (commands.length === 0) return null
  return (
    <>
      {commands
        .filter(({ frequent }) => frequent)
        .map(({ key, label }) => (
          <Button key={key} className="frequent-command" {...nearTelling} onClick={() => tell(key, { sns: [sn] })}>
            {label}
          </Button>
        ))}
      <ActionMenu
        type="primary"
        icon={<DownOutlined />}
        iconPlacement="end"
        placement="bottomRight"
        content={{
          items: inGroups(commands, (kind) => t(`command.kind.${kind}`)),
          choose: (chosen) => {
            const command = commands.find(({ key }) => key === chosen)
            if (command) tell(command.key, { sns: [sn] })
          },
        }}
      >
        {t('deviceDetail.command')}
      </ActionMenu>
    </>
  )
}
