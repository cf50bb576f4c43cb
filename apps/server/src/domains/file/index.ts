export { mountFiles } from './file.routes.ts'
