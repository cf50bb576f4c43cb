import { later } from '../../shell/later.tsx'

export const OrganisationForm = later(async () => (await import('./OrganisationForm.tsx')).OrganisationForm)
export const MoveDialog = later(async () => (await import('./MoveDialog.tsx')).MoveDialog)
