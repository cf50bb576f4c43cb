/** PostgreSQL: two transactions waited for each other and this one was chosen to give way. */
const isDeadlock = (error: unknown) => (error as { code?: unknown } | null)?.code === '40P01'
const attempts = 3

/** The one that gave way has changed nothing and may simply try again; the other one is through by then. */
export const unlessDeadlocked = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isDeadlock(error)) throw error
    }
  }
}
