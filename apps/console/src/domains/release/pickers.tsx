export { nearReleasing, releaseItem } from './releaseItem.tsx'
