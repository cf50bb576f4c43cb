import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../../shell/errorText.ts'
import { keepEnterInPicker } from '../form/enterInPicker.ts'
import '../cards.css'
import '../kit.css'
import './compose.css'

interface Props {
  title: string
  sub?: string | undefined
  form: string
  /** What has come of it, in the place of the questions, and what can be done then. */
  made?: { readonly content: ReactNode; readonly buttons?: ReactNode } | undefined
  error: unknown
  busy: boolean
  /** What sending it means, beside the buttons. */
  foot: string
  verb: string
  danger?: boolean
  disabled?: boolean
  onSend: () => Promise<void>
  onLeave: () => void
  onClose: () => void
  afterOpen?: () => void
  preview: ReactNode
  children: ReactNode
}

/** Questions on the left, what would come of it on the right, and one button that says the number. */
export function ComposeDrawer(props: Props) {
  const { t } = useTranslation()
  const { title, sub, form, made, busy, onClose, onLeave } = props
  const failure = props.error === undefined ? undefined : describeError(props.error)
  return (
    <Drawer
      open
      size={1120}
      className="compose"
      title={
        <>
          {title}
          {sub !== undefined && <span className="visually-hidden"> · </span>}
          {sub !== undefined && <span className="compose-sub">{sub}</span>}
        </>
      }
      onClose={onLeave}
      footer={
        <div className="drawer-buttons">
          {made ? (
            <>
              {made.buttons}
              <Button type="primary" autoFocus onClick={onClose}>
                {t('kit.close')}
              </Button>
            </>
          ) : (
            <>
              <span className="why">{props.foot}</span>
              <Button onClick={onLeave} disabled={busy}>
                {t('kit.cancel')}
              </Button>
              <Button
                type="primary"
                htmlType="submit"
                form={form}
                danger={props.danger ?? false}
                disabled={props.disabled ?? false}
                loading={busy}
              >
                {props.verb}
              </Button>
            </>
          )}
        </div>
      }
      afterOpenChange={(open) => open && props.afterOpen?.()}
    >
      {made ? (
        made.content
      ) : (
        <div className="compose-sides">
          <form
            id={form}
            className="compose-left"
            noValidate
            onKeyDown={keepEnterInPicker}
            onSubmit={(event) => {
              event.preventDefault()
              void props.onSend()
            }}
          >
            {failure && (
              <div className="compose-error field-error" role="alert">
                <strong>{failure.title}</strong> {failure.text}
              </div>
            )}
            {props.children}
          </form>
          {props.preview}
        </div>
      )}
    </Drawer>
  )
}
