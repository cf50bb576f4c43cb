/** Rows of the list in front, as they stand in the document. */
const rows = () => [...document.querySelectorAll<HTMLElement>('.tab-pane[data-active=true] [data-row]')]

/** The row's own link, or else the first thing in it that takes the focus. */
const handleOf = (row: HTMLElement | undefined) =>
  row?.querySelector<HTMLElement>('a, .link-button') ?? row?.querySelector<HTMLElement>('button, input')

/** To the next row or the one before; from elsewhere to the first. */
export function stepRow(by: 1 | -1): void {
  const all = rows()
  const at = all.findIndex((row) => row.contains(document.activeElement))
  handleOf(all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)])?.focus()
}

/** Ticks the row that has the focus, or unticks it. */
export function tickRow(): void {
  const row = rows().find((each) => each.contains(document.activeElement))
  row?.querySelector<HTMLElement>('.tick-box input')?.click()
}
