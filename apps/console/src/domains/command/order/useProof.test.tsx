// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { useProof } from './useProof.tsx'

const run = vi.fn()
function Again({ command, sn, count }: { command: string; sn?: string; count: number }) {
  const proof = useProof()
  return (
    <>
      <button type="button" onClick={() => proof.ask({ command, sn, count }, run)}>
        again
      </button>
      {proof.dialog}
    </>
  )
}
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command', 'device'])
  // Fetched when it is near; here it is there before the click.
  await import('./ProofDialog.tsx')
})
afterEach(() => {
  cleanup()
  run.mockReset()
})

it('a wipe is sent again only when the serial number has been typed', async () => {
  render(<Again command="wipe" sn="S1-TILL-01" count={1} />)
  press('again')
  expect(run).not.toHaveBeenCalled()
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send Wipe again' })
  expect(send.disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'S1-TILL-02' } })
  expect(send.disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'S1-TILL-01' } })
  press('Send Wipe again')
  expect(run).toHaveBeenCalledOnce()
})

it('many devices are typed back by their number', async () => {
  render(<Again command="switchServer" count={12} />)
  press('again')
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: '12' } })
  press('Send Switch server again')
  expect(run).toHaveBeenCalledOnce()
})

it('what can be undone, and a word that is no command of ours, is sent at once', () => {
  render(<Again command="reboot" count={2} />)
  press('again')
  cleanup()
  render(<Again command="blink" count={2} />)
  press('again')
  expect(run).toHaveBeenCalledTimes(2)
})
