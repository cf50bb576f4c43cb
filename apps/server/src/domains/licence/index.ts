export { mountLicences } from './licence.routes.ts'
