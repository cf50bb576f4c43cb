import { isApiError } from '@campanile/client'
import type { DepartmentNode } from '@campanile/contract/organisation'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { reportNoAnswer } from './connection.ts'
import { keepDepartmentsIn } from './knownDepartment.ts'

const mostRetries = 2

/** A refusal stays a refusal; only what may be different in a moment is asked again. */
const mayPass = (error: Error) => isApiError(error) && (error.kind === 'network' || error.kind === 'timeout')

/** Server state of every screen. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isApiError(error) && error.kind === 'network') reportNoAnswer()
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < mostRetries && mayPass(error),
      refetchOnWindowFocus: false,
    },
  },
})

// Names of presets, reasons and the like come from the server in the language they were asked for in.
i18next.on('languageChanged', () => void queryClient.invalidateQueries())

keepDepartmentsIn(() =>
  queryClient
    .getQueriesData<readonly DepartmentNode[]>({ queryKey: ['departments'] })
    .flatMap(([, nodes]) => nodes ?? []),
)
