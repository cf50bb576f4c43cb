export { ReleaseList } from './list/ReleaseList.tsx'
export { nearReleasing, releaseItem } from './releaseItem.tsx'
