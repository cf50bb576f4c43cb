// @vitest-environment happy-dom
import {
  commandDoors,
  createBrokerTask,
  createTask,
  giveCommand,
  pushSetting,
  runBatch,
} from '@campanile/contract/command'
import { handoverRoutes } from '@campanile/contract/system'
import i18n from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { loadTexts, startTexts } from '../shell/texts.ts'
import { operationLabel } from './operationLabel.ts'

beforeAll(async () => {
  await startTexts('en')
  await loadTexts(['command', 'system'])
})

it.each([
  ['POST /api/v3/device/task/giveUp', 'Give up'],
  ['POST /api/v3/device/task/cancel', 'Cancel task'],
  ['POST /api/v3/device/task/retry', 'Retry failed'],
  ['POST /api/v3/device/basic/command', 'Give command'],
  [handoverRoutes.left, 'Transfer to another enterprise'],
  [handoverRoutes.arrived, 'Transfer from another enterprise'],
  ['POST /api/v3/somewhere/else', 'Action'],
])('an action by %s is told as “%s”', (route, label) => {
  expect(operationLabel({ type: 'action', module: 'deviceTask', route }, i18n)).toBe(label)
})

it('everything else is told by what it did to the data', () => {
  const line = { type: 'create', module: 'deviceTask', route: 'POST /api/v3/device/task/retry' } as const
  expect(operationLabel(line, i18n)).toBe('Create')
})

it('knows every door to a command', () => {
  const doors = [giveCommand, createTask, runBatch, createBrokerTask, pushSetting].map(({ path }) => path)
  expect(commandDoors).toEqual(doors)
})
