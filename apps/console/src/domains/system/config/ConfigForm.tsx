import { type ConfigValues, configGroups, configLimits, configShape, writeConfig } from '@campanile/contract/system'
import { Button, Skeleton } from 'antd'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { usePermitted } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import type { SettingName } from './configValues.ts'
import { LogoSetting } from './LogoSetting.tsx'
import { Setting } from './Setting.tsx'
import { useConfig } from './useConfig.ts'

/** Every setting of the installation, grouped; what is changed is saved together. */
export function ConfigForm() {
  const { t } = useTranslation()
  const mayEdit = usePermitted(writeConfig.perm)
  const form = useConfig()
  const title = t('config.title')
  if (!form.read || !form.draft)
    return (
      <Page title={title}>
        {form.error ? (
          <Failed error={form.error} onRetry={form.refetch} />
        ) : (
          <Skeleton active paragraph={{ rows: 12 }} />
        )}
      </Page>
    )
  const { read, draft } = form
  const save = async () => {
    const wrong = await form.save()
    if (wrong === undefined) return
    setTimeout(() => {
      const input = document.getElementById(`setting-${wrong}`)
      input?.focus({ preventScroll: true })
      input?.scrollIntoView({ block: 'center' })
    })
  }
  return (
    <Page
      title={title}
      sub={form.needsReload ? <NeedsReload /> : undefined}
      actions={
        mayEdit && (
          <>
            {form.changed.length > 0 && (
              <>
                <span className="config-unsaved" role="status">
                  {t('config.unsaved', { count: form.changed.length })}
                </span>
                <Button onClick={form.discard} disabled={form.saving}>
                  {t('config.discard')}
                </Button>
              </>
            )}
            <Button type="primary" loading={form.saving} onClick={save}>
              {t('config.save')}
            </Button>
          </>
        )
      }
    >
      {!mayEdit && <p>{t('config.readOnly')}</p>}
      <nav className="config-jump" aria-label={t('config.jump')}>
        {Object.keys(configGroups).map((group) => (
          <button
            key={group}
            type="button"
            onClick={() => document.getElementById(`config-${group}`)?.scrollIntoView({ block: 'start' })}
          >
            {t(`config.group.${group}`)}
          </button>
        ))}
      </nav>
      {Object.entries(configGroups).map(([group, names]) => (
        <section key={group} id={`config-${group}`} className="card config-group">
          <header>
            <h2>{t(`config.group.${group}`)}</h2>
            <p className="field-help">{t(`config.groupHelp.${group}`)}</p>
          </header>
          {group === 'appearance' && <LogoSetting logo={read.values.logo} disabled={!mayEdit} />}
          {names.map((name) => (
            <Setting
              key={name}
              name={name}
              value={draft[name]}
              onChange={(value) => form.set(name, value)}
              error={form.wrong.has(name) ? wrongText(name, draft[name], t) : undefined}
              disabled={!mayEdit || form.saving}
              changed={form.changed.includes(name)}
              stored={isStored(read.values, name)}
              updated={read.updated[name]}
            />
          ))}
          {group === 'agreements' && (
            <a href="/privacy" target="_blank" rel="noreferrer">
              {t('config.openPrivacy')}
            </a>
          )}
        </section>
      ))}
    </Page>
  )
}

const isStored = (values: ConfigValues, name: SettingName) => (values[name] ?? '') !== ''

/** Some settings only show after a reload; the badge stays until it has happened. */
function NeedsReload() {
  const { t } = useTranslation()
  return (
    <span className="config-reload" role="status">
      <span className="soft-tag soft-warning" title={t('config.needsReloadText')}>
        ◆ {t('config.needsReload')}
      </span>
      <Button type="link" size="small" onClick={() => window.location.reload()}>
        {t('config.reload')}
      </Button>
    </span>
  )
}

/** The sentence for a broken rule, with the contract's own limits. */
const wrongText = (name: SettingName, value: unknown, t: TFunction): string => {
  const rule = configShape[name]
  if ('minValue' in rule) return t('config.wrong.number', { min: rule.minValue, max: rule.maxValue })
  if (name === 'smsWebhook') return t('config.wrong.url')
  if (typeof value === 'object' && value !== null) {
    const max = name === 'title' ? configLimits.title : configLimits.agreement
    const texts = Object.values(value).map((text) => String(text).trim())
    return texts.some((text) => text.length > max) ? t('config.wrong.tooLong', { max }) : t('config.allLanguages')
  }
  return t('config.wrong.text')
}
