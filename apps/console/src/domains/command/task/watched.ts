export const watchMs = 3_000
/** Devices come and go while a task waits for its time. */
export const plannedMs = 30_000
/** How often a page of a task asks how it stands. */
export const watched = (progress: string | undefined): number | false =>
  progress === 'inProgress' ? watchMs : progress === 'planned' ? plannedMs : false
