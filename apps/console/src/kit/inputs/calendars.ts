import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import i18next from 'i18next'
import { currentLanguage } from '../../shell/texts.ts'

// Months and the first day of the week are dayjs's own words; they come with the first calendar, not with the shell.
const follow = () => dayjs.locale(currentLanguage().toLowerCase())
i18next.on('languageChanged', follow)
follow()

export { DatePicker, TimePicker } from 'antd'

/**
 * What a calendar shows is what a form sends: without this a time counts only after OK or Enter, and leaving the field is
 * told too late for the press that sends the form.
 */
export const takenAtOnce = (take: (time: dayjs.Dayjs | null) => void) => ({
  needConfirm: false,
  onCalendarChange: (time: unknown) => take(dayjs.isDayjs(time) ? time : null),
})
