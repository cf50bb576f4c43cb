import { findProgram, installProgram } from './debian.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export const findChromium = () => findProgram(names)

/** Tests look at real pages in a real browser; Chinese ones need a font too. */
export const installChromium = () => installProgram('Chromium', names, ['chromium', 'fonts-noto-cjk'])
