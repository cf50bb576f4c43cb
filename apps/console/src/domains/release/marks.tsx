/** What other rooms show of releases; apart from the pickers, whose users would otherwise fetch it. */
export { BatchRelease, ReleasePage } from './batch/opened.ts'
export { ReleaseList } from './list/ReleaseList.tsx'
