import { describe, expect, it } from 'vitest'
import { everyTitle, localiseTitle } from './localised.ts'

const title = JSON.stringify({ 'zh-cn': '设备', en: 'Devices', 'zh-tw': '裝置' })

describe('titles in several languages', () => {
  it('give the variant of the language', () => {
    expect(localiseTitle(title, 'en')).toBe('Devices')
    expect(localiseTitle(title, 'zh-CN')).toBe('设备')
    expect(localiseTitle(title, 'zh-TW')).toBe('裝置')
  })

  it('fall back to English, then Simplified, then Traditional', () => {
    expect(localiseTitle('{"zh-cn":"设备","en":"Devices"}', 'zh-TW')).toBe('Devices')
    expect(localiseTitle('{"zh-cn":"设备","zh-tw":"裝置"}', 'en')).toBe('设备')
    expect(localiseTitle('{"en":"","zh-tw":"裝置"}', 'en')).toBe('裝置')
  })

  it('are shown as they came when they are plain, malformed or empty of variants', () => {
    for (const raw of ['Devices', '{"en":', '{}', '{A} list', '12']) expect(localiseTitle(raw, 'en')).toBe(raw)
  })

  it('are found by their name in any language', () => {
    expect(everyTitle(title).sort()).toEqual(['Devices', '裝置', '设备'].sort())
    expect(everyTitle('Plain')).toEqual(['Plain'])
  })
})
