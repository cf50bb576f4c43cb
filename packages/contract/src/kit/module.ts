/**
 * Parts of the product an organisation may well not use; a room that is one names it where it names its place in the menu.
 * What everybody works with (devices, groups, tasks, people, roles, organisations, logs) is none. One that is added here
 * is used by everybody until they say otherwise. Its name is the text `module.name.<word>`.
 */
export const modules = [
  'robots',
  'selfService',
  'videoPhones',
  'access',
  'activation',
  'licences',
  'broker',
  'testModels',
] as const
export type Module = (typeof modules)[number]
