// Facts without schemas: what the shell knows of sessions before any declaration is loaded.

/**
 * Why the server closes a live connection: the session is over; rights changed, come back with a new ticket; too many
 * messages, come back after a while.
 */
export const liveClosing = { ended: 4401, changed: 4409, tooMany: 4429 } as const

/** The call during which a session has two tokens. */
export const changePasswordPath = '/api/v1/oauth/login/changePassword'

/** Photos under 2 MB (behaviour: values.pictures). */
export const photoMaxBytes = 2 * 1024 * 1024 - 1
