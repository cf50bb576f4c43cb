export { ReleaseList } from './list/ReleaseList.tsx'
export { releaseItem } from './releaseItem.tsx'
