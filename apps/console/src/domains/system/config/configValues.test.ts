import { configDefaults, configGroups, configShape } from '@campanile/contract/system'
import { describe, expect, it } from 'vitest'
import { changedNames, draftOf, isDefault, patchOf, settingNames, wrongNames } from './configValues.ts'

const read = draftOf({ ...configDefaults, trustedIssuerKey: '***' })

describe('the settings form', () => {
  it('shows every setting of the contract once', () => {
    expect([...settingNames].sort()).toEqual(Object.keys(configShape).sort())
    expect(Object.values(configGroups).flat()).toHaveLength(new Set(settingNames).size)
  })

  it('sends only what was changed', () => {
    const draft = { ...read, lockMinutes: 60, trustedIssuer: '' }
    expect(changedNames(read, draft)).toEqual(['lockMinutes', 'trustedIssuer'])
    expect(patchOf(draft, ['lockMinutes', 'trustedIssuer'])).toEqual({ lockMinutes: 60, trustedIssuer: null })
  })

  it('does not take a key that is never shown for a changed one', () => {
    expect(changedNames(read, read)).toEqual([])
    expect(changedNames(read, { ...read, trustedIssuerKey: 'new' })).toEqual(['trustedIssuerKey'])
  })

  it('removes a key when it is emptied on purpose', () => {
    const draft = { ...read, trustedIssuerKey: null }
    expect(patchOf(draft, ['trustedIssuerKey'])).toEqual({ trustedIssuerKey: null })
  })

  it('finds what the contract would refuse', () => {
    const draft = { ...read, lockMinutes: 4, smsWebhook: 'ftp://a', title: { en: 'A', 'zh-cn': '', 'zh-tw': 'C' } }
    expect(wrongNames(draft, ['lockMinutes', 'smsWebhook', 'title', 'signSecret'])).toEqual([
      'lockMinutes',
      'smsWebhook',
      'title',
    ])
  })

  it('knows a default when it sees one', () => {
    expect(isDefault('lockMinutes', 30)).toBe(true)
    expect(isDefault('title', { ...configDefaults.title, en: 'Other' })).toBe(false)
  })
})
