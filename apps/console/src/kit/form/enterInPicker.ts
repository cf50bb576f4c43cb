import type { KeyboardEvent } from 'react'

/** Enter in a calendar or a clock takes what was typed or pointed at; it does not send the form around it. */
export const keepEnterInPicker = (event: KeyboardEvent): void => {
  const sends = event.key === 'Enter' && !event.ctrlKey && !event.metaKey
  if (sends && event.target instanceof Element && event.target.closest('.ant-picker, .ant-picker-dropdown'))
    event.preventDefault()
}
