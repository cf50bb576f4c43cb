/** The first, the last and those around the present page; 0 stands for what is left out. */
export const pagesInSight = (page: number, last: number): number[] => {
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter((each) => each >= 1 && each <= last)
  return shown.flatMap((each, at) => {
    const skipped = each - (shown[at - 1] ?? 0) - 1
    // A gap of one page takes the room of that page.
    return skipped === 0 ? [each] : [skipped === 1 ? each - 1 : 0, each]
  })
}
