import { logoPicture, removeLogo, uploadLogo } from '@campanile/contract/system'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFileChooser } from '../../../kit/files/useFileChooser.tsx'
import { calls } from '../../../kit/index.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { loadRuntime } from '../../../shell/runtime.ts'
import { currentLanguage } from '../../../shell/texts.ts'
import { configKey } from './configKey.ts'

/** Takes effect at once, because a picture is not something to type and save later. */
export function LogoSetting({ logo, disabled }: { logo: string | null; disabled: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
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
  const { open, input, limits, fault } = useFileChooser({
    field: logoPicture,
    label: t('config.field.logo'),
    reader: { t: (key, values = {}) => t(key, values), number: new Intl.NumberFormat(currentLanguage()).format },
    onChosen: (file) => change(() => calls.upload(uploadLogo, file, {}), t('config.logoSaved')),
  })
  return (
    <div className="setting" data-invalid={fault !== undefined}>
      <div className="setting-words">
        <label htmlFor="setting-logo">{t('config.field.logo')}</label>
        <p id="setting-logo-help" className="field-help">
          {t('config.help.logo')} {limits}
        </p>
      </div>
      <div className="setting-input">
        <div className="setting-logo">
          <span className="setting-logo-frame">
            <img src={logo ?? '/favicon.svg'} alt={logo === null ? t('config.builtInLogo') : t('config.preview')} />
          </span>
          {!disabled && (
            <>
              {input}
              <Button id="setting-logo" loading={busy} aria-describedby="setting-logo-help" onClick={open}>
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
        {fault !== undefined && (
          <p className="field-error" role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  )
}
