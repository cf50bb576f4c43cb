// @vitest-environment happy-dom
import { deviceGroup } from '@campanile/contract/device'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../shell/texts.ts'
import { calls } from '../calls.ts'
import { createReader } from '../reader.ts'
import { ImportWizard } from './ImportWizard.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['transfer'])
})
afterEach(cleanup)

const patient = { timeout: 20_000 }
/** 序號,備註 · HP-1,倉庫門口的機器 */
const big5 = 'a7c7b8b92cb3c6b5f90d0a48502d312caddcae77aaf9a466aababef7beb90d0a'
const bytes = Uint8Array.from(big5.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** A server that took it for GB18030, as one does for somebody who reads simplified Chinese. */
const answerTo = async (file: File) => {
  const sent = new Uint8Array(await file.arrayBuffer())
  let read = { encoding: 'utf-8', unsure: false }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(sent)
  } catch {
    text = new TextDecoder('gb18030').decode(sent)
    read = { encoding: 'gb18030', unsure: true }
  }
  const [, name] = text.split('\r\n')[1]?.split(',') ?? []
  return { importId: 1, total: 1, valid: 1, existing: 0, errors: [], preview: [{ name }], read }
}

it('shows how a text was read, and reads it again as soon as another encoding is chosen', async () => {
  const check = vi.spyOn(calls, 'importCheck').mockImplementation(((_: unknown, file: File) => answerTo(file)) as never)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ImportWizard
          resource={deviceGroup}
          reader={createReader(deviceGroup, i18next)}
          onClose={() => undefined}
          onImported={() => undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  fireEvent.change(input as HTMLInputElement, { target: { files: [new File([bytes], 'devices.csv')] } })
  const examine = screen.getByRole('button', { name: 'Check file' })
  await waitFor(() => expect(examine).toHaveProperty('disabled', false), patient)
  fireEvent.click(examine)
  const choice = await screen.findByRole('combobox', { name: 'Encoding of the file' }, patient)
  expect(screen.getByText('GBK / GB18030')).toBeTruthy()
  expect(screen.getByText(/This is a guess/)).toBeTruthy()
  expect(screen.queryByText('倉庫門口的機器')).toBe(null)
  expect(screen.getByText(/^1 row read/)).toBeTruthy()
  fireEvent.mouseDown(choice)
  fireEvent.click(await screen.findByTitle('Big5', {}, patient))
  expect(await screen.findByText('倉庫門口的機器', {}, patient)).toBeTruthy()
  expect(check).toHaveBeenCalledTimes(2)
})
