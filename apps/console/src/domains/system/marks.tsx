export { descriptionText, kindsNamed } from './operationLog/descriptionText.ts'
