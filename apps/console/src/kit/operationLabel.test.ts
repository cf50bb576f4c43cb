// @vitest-environment happy-dom
import { handoverRoutes } from '@campanile/contract'
import i18n from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { loadAllTexts, startTexts } from '../shell/texts.ts'
import { operationLabel } from './operationLabel.ts'

beforeAll(async () => {
  await startTexts('en')
  await loadAllTexts()
})

it.each([
  ['POST /api/v3/device/task/giveUp', 'Give up'],
  ['POST /api/v3/device/task/cancel', 'Cancel'],
  ['POST /api/v3/device/task/retry', 'Retry failed'],
  ['POST /api/v3/device/basic/command', 'Give command'],
  [handoverRoutes.left, 'Transfer to another enterprise'],
  [handoverRoutes.arrived, 'Transfer from another enterprise'],
  ['POST /api/v3/somewhere/else', 'Action'],
])('an action by %s is told as “%s”', (route, label) => {
  expect(operationLabel({ type: 'action', route }, i18n)).toBe(label)
})

it('everything else is told by what it did to the data', () => {
  expect(operationLabel({ type: 'create', route: 'POST /api/v3/device/task/retry' }, i18n)).toBe('Create')
})
