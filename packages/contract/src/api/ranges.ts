/** First and last code of each range. A code without a text of its own falls back on its range's (behaviour: api.ranges). */
export const errorRanges = [
  // The wire knows codes up to 21020; what signing in needs beyond it follows there.
  [21001, 21029],
  [21051, 21078],
  [21151, 21157],
  [21201, 21203],
  // It ends at 21270; a user name that is there but wrong and the session that asks follow.
  [21251, 21272],
  [30101, 30104],
  [30201, 30206],
  [30401, 30403],
  [53000, 53093],
  [60001, 60060],
  [63000, 63061],
  // It ends at 93035; what the times of tasks and the quality of service of messages need beyond it follows.
  [93002, 93042],
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

/** Their message ends with a colon and the serial number of the device concerned (behaviour: api.names-device). */
export const serialAfterColon: readonly number[] = [
  93028, 93029, 93030, 93034, 93035, 93026, 93027, 93022, 93010, 53084, 63043,
]
/** The same with the id of a department (behaviour: api.names-device). */
export const departmentAfterColon: readonly number[] = [53088]
