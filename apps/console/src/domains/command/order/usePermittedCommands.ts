import { type CommandName, chosenCommands, commands } from '@campanile/contract/command'
import { useNavigationMenu } from '../../../shell/navigation/navigation.ts'
import { isPermitted } from '../../../shell/permissions.ts'

/** The commands this person may give. */
export const usePermittedCommands = (): CommandName[] => {
  const granted = useNavigationMenu((navigation) => navigation.permissions)
  return chosenCommands.filter((name) => isPermitted(granted, commands[name].perm))
}
