import { defineResource, type Fields, type Resource } from './resource.ts'

/** A form that saves no row: the fields of an action or a command, with the labels of `name`. */
export const fieldsForm = (name: string, fields: Fields): Resource => ({
  ...defineResource({
    name,
    wire: { path: '' },
    fields,
    identity: 'id',
    list: { columns: [], filters: [], sort: 'id' },
    perms: {},
    scope: 'public',
  }),
  form: { all: Object.keys(fields) },
})
