import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keepEnterInPicker } from '../../../kit/form/enterInPicker.ts'
import { describeError } from '../../../shell/errorText.ts'
import { Outcome } from './Outcome.tsx'
import { PreviewPanel } from './PreviewPanel.tsx'
import { ProofInput } from './ProofInput.tsx'
import type { OrderSteps } from './useOrderSteps.ts'
import '../../../kit/kit.css'

interface BodyProps {
  steps: OrderSteps
  /** Where the task is found again; the device tasks' own page unless given. */
  detail?: (id: number) => string
  children: ReactNode
}

/** What stands between the title and the buttons of an order, step by step; the fields are the screen's. */
export function OrderBody({ steps, detail, children }: BodyProps) {
  const failure = steps.error === undefined ? undefined : describeError(steps.error)
  return (
    <>
      {failure && (
        <div className="order-error field-error" role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </div>
      )}
      {steps.step === 'args' && (
        <form
          id={`${steps.base}-form`}
          className="kit-form"
          onKeyDown={keepEnterInPicker}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void steps.look()
          }}
        >
          <fieldset>{children}</fieldset>
        </form>
      )}
      {steps.step === 'preview' && steps.preview && (
        <>
          <PreviewPanel command={steps.command} preview={steps.preview} />
          {steps.destroys && steps.hit > 0 && (
            <ProofInput
              id={`${steps.base}-proof`}
              command={steps.command}
              sn={steps.sn}
              proof={steps.proof}
              typed={steps.typed}
              onType={steps.setTyped}
            />
          )}
        </>
      )}
      {steps.made && <Outcome made={steps.made} figures={steps.made.figures} detail={detail} />}
    </>
  )
}

interface ButtonsProps {
  steps: OrderSteps
  onClose?: () => void
  /** Where one order follows another. */
  again?: boolean
  /** False where nothing was entered that could be gone back to. */
  entered?: boolean
}

/** The buttons of the step: preview, then send, then done. */
export function OrderButtons({ steps, onClose, again, entered = true }: ButtonsProps) {
  const { t } = useTranslation()
  if (steps.step === 'made')
    return again ? (
      <Button type="primary" onClick={steps.again}>
        {t('command.another')}
      </Button>
    ) : (
      <Button type="primary" onClick={onClose}>
        {t('kit.close')}
      </Button>
    )
  return (
    <>
      {steps.step === 'preview' && entered && (
        <Button onClick={steps.back} disabled={steps.busy}>
          {t('command.back')}
        </Button>
      )}
      {onClose && (
        <Button onClick={onClose} disabled={steps.busy}>
          {t('kit.cancel')}
        </Button>
      )}
      {steps.step === 'args' && (
        <Button type="primary" htmlType="submit" form={`${steps.base}-form`} loading={steps.busy}>
          {t('command.look')}
        </Button>
      )}
      {steps.step === 'preview' && steps.hit > 0 && (
        <Button
          type="primary"
          danger={steps.destroys}
          disabled={!steps.proven}
          loading={steps.busy}
          onClick={steps.give}
        >
          {steps.sn === undefined ? t('command.send', { command: steps.label, count: steps.hit }) : steps.label}
        </Button>
      )}
    </>
  )
}
