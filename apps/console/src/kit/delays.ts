/** §9: the server needs this long before a changed role or account shows in its lists; then they are read again. */
export const afterRoleOrUserChangeMs = 100
/** §9: the same after creating one. */
export const afterCreateMs = 800

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
