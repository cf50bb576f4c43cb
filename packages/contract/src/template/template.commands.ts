import { defineCommands, group, number, optional } from '../kit/index.ts'
import { templateItems, wifiPassword } from './template.items.ts'
import { templateRelease } from './template.release.ts'

/** Made by a release. Applied twice, it leaves the device as if applied once; so does taking it back. */
const applied = {
  perm: templateRelease.perms.release,
  group: 'setUp',
  ownScreen: true,
  repeatable: true,
  waitMinutes: 24 * 60,
} as const
const templateId = number(1, Number.MAX_SAFE_INTEGER)
const version = number(1, Number.MAX_SAFE_INTEGER)

export const templateCommands = defineCommands('template', {
  /**
   * Answered with `items`, the values that hold now of those it was told, and `before`, those that held before it was first
   * applied. The device keeps the latter until another template is applied or this one is taken back.
   */
  applyTemplate: {
    ...applied,
    args: {
      templateId,
      version,
      items: group(templateItems),
      wifiPassword: optional(wifiPassword()),
    },
    secret: ['wifiPassword'],
  },
  /** Back to what held before; answered like the other. */
  undoTemplate: { ...applied, args: { templateId } },
})
