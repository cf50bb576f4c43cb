import { removeLogo, uploadLogo } from '@campanile/contract/system'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/index.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { loadRuntime } from '../../../shell/runtime.ts'
import { configKey } from './configKey.ts'

const accepted = '.png,.jpg,.jpeg,.bmp'

/** Takes effect at once, because a picture is not something to type and save later. */
export function LogoSetting({ logo, disabled }: { logo: string | null; disabled: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)

  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      await Promise.all([queries.invalidateQueries({ queryKey: configKey }), loadRuntime()])
      toast.success(done)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const upload = async (file: File | undefined) => {
    if (!file) return
    const reason = !/\.(png|jpe?g|bmp)$/i.test(file.name)
      ? t('config.logoWrongType')
      : file.size > (uploadLogo.upload?.maxBytes ?? 0)
        ? t('config.logoTooLarge')
        : undefined
    setWrong(reason)
    if (reason === undefined) await change(() => calls.upload(uploadLogo, file, {}), t('config.logoSaved'))
  }
  return (
    <div className="setting" data-invalid={wrong !== undefined}>
      <div className="setting-words">
        <label htmlFor="setting-logo">{t('config.field.logo')}</label>
        <p id="setting-logo-help" className="field-help">
          {t('config.help.logo')}
        </p>
      </div>
      <div className="setting-input">
        <div className="setting-logo">
          <span className="setting-logo-frame">
            <img src={logo ?? '/favicon.svg'} alt={logo === null ? t('config.builtInLogo') : t('config.preview')} />
          </span>
          {!disabled && (
            <>
              <input
                ref={input}
                id="setting-logo"
                type="file"
                className="visually-hidden"
                accept={accepted}
                aria-describedby="setting-logo-help"
                onChange={(event) => {
                  void upload(event.target.files?.[0])
                  event.target.value = ''
                }}
              />
              <Button loading={busy} onClick={() => input.current?.click()}>
                {t(logo === null ? 'config.uploadLogo' : 'config.replaceLogo')}
              </Button>
              {logo !== null && (
                <Button
                  type="link"
                  disabled={busy}
                  onClick={() => change(() => calls.call(removeLogo, {}), t('config.logoReset'))}
                >
                  {t('config.resetLogo')}
                </Button>
              )}
            </>
          )}
        </div>
        {wrong !== undefined && (
          <p className="field-error" role="alert">
            {wrong}
          </p>
        )}
      </div>
    </div>
  )
}
