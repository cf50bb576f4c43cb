import { defineDeviceEvent, object } from '../kit/index.ts'
import { templateItemNames, templateValue } from './template.items.ts'

/** What a device holds of what a template may set. */
export const settingsChanged = defineDeviceEvent({
  type: 'settingsChanged',
  texts: 'template',
  meaning:
    'somebody at the device, or the device itself, has changed what a template has set: the values that hold now by the names `applyTemplate` has for them, at least those that changed; not for what a command did',
  data: { items: object(templateValue, templateItemNames.length) },
})
