const firstMs = 2_000
const lostMs = 30_000
/** A credential that was refused will hardly be taken a second later. */
const refusedMs = 300_000

/** Full jitter: anywhere between nothing and a doubling limit, so that a fleet does not come back all at once. */
export const reconnectDelay = (attempt: number, refused: boolean, random: () => number): number =>
  Math.round(random() * (refused ? refusedMs : Math.min(lostMs, firstMs * 2 ** Math.min(attempt, 10))))
