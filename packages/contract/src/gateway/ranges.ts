/** The ranges of §8, first and last code. A code without a text of its own falls back on its range's. */
export const errorRanges = [
  // §8 ends at 21020; what signing in needs beyond it follows there.
  [21001, 21028],
  [21051, 21078],
  [21151, 21157],
  [21201, 21203],
  [21251, 21270],
  [30101, 30104],
  [30201, 30206],
  [30401, 30403],
  [53000, 53093],
  [60001, 60060],
  [63000, 63061],
  [93002, 93035],
  [100001, 100028],
  [130001, 139008],
  [203004, 203043],
  [204001, 204057],
  [205000, 205000],
  [206001, 206004],
  [207000, 207013],
  [300001, 300002],
  [301000, 301016],
  [302000, 302015],
  [304000, 304015],
] as const

/** §8: their message ends with a colon and the serial number of the device concerned. */
export const serialAfterColon: readonly number[] = [
  93028, 93029, 93030, 93034, 93035, 93026, 93027, 93022, 93010, 53084, 63043,
]
/** §8: the same with the id of a department. */
export const departmentAfterColon: readonly number[] = [53088]
