export { releaseItem } from './releaseItem.tsx'
