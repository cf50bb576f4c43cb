// @vitest-environment happy-dom
import { ApiError } from '@campanile/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { notify, showError, toast, useNotices } from './feedback.ts'
import { keepPermissionsIn } from './granted.ts'
import { useKeptEntries } from './notifications/kept.ts'

const notices = () => useNotices.getState().notices
const kept = () => useKeptEntries.getState().entries
const failure = (kind: ApiError['kind'], code: number, data?: unknown) =>
  new ApiError({ kind, code, status: 200, message: 'words', data })

beforeEach(() => {
  useNotices.setState({ notices: [] })
  useKeptEntries.setState({ entries: [] })
})

describe('messages', () => {
  it('an error lasts three seconds and stays in the notification centre', () => {
    showError(failure('api', 53001))
    expect(notices()).toMatchObject([{ tone: 'error', lastsMs: 3_000 }])
    expect(kept()).toMatchObject([{ type: 'error', read: false }])
  })

  it('partial success is a success toast and a notice of ten seconds with what came back', () => {
    showError(failure('api', 100028, { failed: ['A1', 'A2'] }))
    expect(notices()).toMatchObject([
      { tone: 'success', lastsMs: 3_000 },
      { tone: 'info', lastsMs: 10_000, text: 'failed: A1\nA2' },
    ])
    expect(kept()).toHaveLength(1)
  })

  it('import feedback stands until it is closed', () => {
    showError(failure('api', 30000))
    expect(notices().map(({ tone, lastsMs }) => [tone, lastsMs])).toEqual([['warning', undefined]])
  })

  it('an export is told for eight seconds and leads to the files', () => {
    keepPermissionsIn(() => ['iot:files:list'])
    notify.export({ fileName: 'users.xlsx' })
    expect(notices()).toMatchObject([{ lastsMs: 8_000, action: { to: '/IOT/files/list' } }])
    expect(kept()).toMatchObject([{ type: 'export', link: '/IOT/files/list' }])
  })

  it('an export is one notice, which changes when it has ended', () => {
    keepPermissionsIn(() => ['iot:files:list'])
    notify.export({ fileName: 'users.xlsx' })
    notify.exportEnded('Export ready')
    expect(notices()).toMatchObject([{ text: 'Export ready', action: { to: '/IOT/files/list' } }])
    expect(kept()).toEqual([])
  })

  it('an export leads nowhere for somebody who may not see the files', () => {
    keepPermissionsIn(() => [])
    notify.export({ fileName: 'users.xlsx' })
    notify.exportEnded('Export ready')
    expect(notices().map(({ action }) => action)).toEqual([undefined])
  })

  it('the end of the session and a cancelled call say nothing here', () => {
    showError(failure('session', 100006))
    showError(failure('aborted', 100004))
    expect([notices(), kept()]).toEqual([[], []])
  })

  it('success is not kept', () => {
    toast.success('Saved.')
    expect([notices().length, kept().length]).toEqual([1, 0])
  })
})
