/** What other rooms show of releases; apart from the pickers, whose users would otherwise fetch it. */
export { BatchRelease, ReleasePage } from './batch/opened.ts'
export { reasonText } from './detail/reasonText.ts'
export { ReleaseList } from './list/ReleaseList.tsx'
export { ReleaseDevices } from './results/ReleaseDevices.tsx'
export { ReleaseResults } from './results/ReleaseResults.tsx'
export { ReleaseStatistics } from './statistics/ReleaseStatistics.tsx'
