import { useQueryClient } from '@tanstack/react-query'
import { departmentQuery } from '../../kit/inputs/departmentNodes.ts'
import { showError } from '../../shell/feedback.ts'
import { useSwitchOrganisation } from '../../shell/organisations/useSwitchOrganisation.ts'
import { useSession } from '../../shell/session/session.ts'

/** The shell's switch for an organisation known by its id; the switcher wants its path for the list of recent ones. */
export const useOperate = () => {
  const queries = useQueryClient()
  const { operateOn } = useSwitchOrganisation()
  const here = useSession(({ session }) => session?.user.operating?.departmentId ?? session?.user.departmentId)
  return {
    isHere: (id: number) => id === here,
    operate: async (id: number) => {
      try {
        const [node] = await queries.fetchQuery(departmentQuery({ ids: [id] }))
        if (node) await operateOn(node)
      } catch (error) {
        showError(error)
      }
    },
  }
}
