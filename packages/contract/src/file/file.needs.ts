import { defineNeeds } from '../kit/index.ts'
import { exportFile } from './export-file.resource.ts'

const rows = { rows: exportFile, at: '/IOT/files/list', level: 'minor' } as const

/** Files that were asked for and could not be made, and rows of imports that were not taken. */
export const fileNeeds = defineNeeds('exportFile', { exportFailed: rows, importFailed: rows })
