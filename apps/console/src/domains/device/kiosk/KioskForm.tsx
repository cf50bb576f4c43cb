import { type CommandArgs, commands, giveCommand } from '@campanile/contract/command'
import type { deviceKiosk } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { Alert, Button, Input, Radio, Switch } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls, usePermitted } from '../../../kit/index.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { describeError } from '../../../shell/errorText.ts'
import { useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { KioskApps } from './KioskApps.tsx'
import { faultsOf, type KioskDraft } from './kioskFaults.ts'

/** What holds it. The password in force is never shown; left blank, it stays. */
export function KioskForm({ sn, detail }: { sn: string; detail: AnswerOf<typeof deviceKiosk> }) {
  const { t } = useTranslation()
  const id = useId()
  const confirm = useConfirm()
  const mayEdit = usePermitted(commands.kioskOn.perm)
  const held = detail.kiosk?.on === true
  const start: KioskDraft = {
    mode: detail.kiosk?.mode === 'multi' ? 'multi' : 'single',
    packages: detail.kiosk?.packages ?? [],
    exitPassword: '',
    statusBar: false,
    homeKey: false,
  }
  const typed = useKeptInput<Partial<KioskDraft>>('kiosk')
  const [draft, setDraft] = useState<KioskDraft>({ ...start, ...typed })
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ title: string; text: string }>()
  const [taskId, setTaskId] = useState<number>()
  const { exitPassword: secret, ...written } = draft
  useDirtyGuard(JSON.stringify(draft) !== JSON.stringify(start) && taskId === undefined, {
    as: 'kiosk',
    input: written,
    partly: !!secret,
  })
  const faults = pressed ? faultsOf(draft, held) : {}
  const set = (change: Partial<KioskDraft>) => setDraft((before) => ({ ...before, ...change }))

  const send = async (command: 'kioskOn' | 'kioskOff', args: CommandArgs<'kioskOn'> | Record<never, never>) => {
    const verb = t(held && command === 'kioskOn' ? 'kit.form.save' : `deviceKiosk.${command}`)
    if (busy || !(await confirm({ title: t('kit.confirmNamed', { action: verb, name: sn }), verb }))) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { id: task } = await calls.call(giveCommand, { command, args, sns: [sn] })
      setTaskId(task)
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  const enable = () => {
    setPressed(true)
    const { exitPassword, ...rest } = draft
    if (Object.keys(faultsOf(draft, held)).length === 0)
      void send('kioskOn', exitPassword ? { ...rest, exitPassword } : rest)
  }
  const error = (name: keyof KioskDraft) =>
    faults[name] && (
      <div id={`${id}-${name}-error`} className="field-error" role="alert">
        {t(`deviceKiosk.fault.${faults[name]}`)}
      </div>
    )
  return (
    <div className="device-stack">
      {problem && <Alert type="error" showIcon title={problem.title} description={problem.text} />}
      {taskId !== undefined && (
        <Alert
          type="info"
          showIcon
          title={t('deviceKiosk.sent')}
          action={<Link to={`/deviceTask/detail/${taskId}`}>{t('deviceKiosk.openTask')}</Link>}
        />
      )}
      <div className="device-columns">
        <section className="card">
          <div className="kit-form">
            <div className="field">
              <span id={`${id}-mode`}>{t('deviceKiosk.field.mode')}</span>
              <Radio.Group
                aria-labelledby={`${id}-mode`}
                value={draft.mode}
                onChange={(event) =>
                  set({
                    mode: event.target.value,
                    // One program is left when only one fits.
                    packages: event.target.value === 'single' ? draft.packages.slice(0, 1) : draft.packages,
                  })
                }
                options={(['single', 'multi'] as const).map((mode) => ({
                  value: mode,
                  label: t(`deviceKiosk.mode.${mode}`),
                }))}
              />
            </div>
            <div className="field" data-invalid={faults.exitPassword !== undefined}>
              <label htmlFor={`${id}-exit`}>
                {t('deviceKiosk.field.exitPassword')}
                {!held && <span className="required">*</span>}
              </label>
              <Input.Password
                id={`${id}-exit`}
                autoComplete="new-password"
                value={draft.exitPassword ?? ''}
                maxLength={18}
                aria-describedby={`${id}-exitPassword-error`}
                {...(faults.exitPassword ? { status: 'error' as const } : {})}
                onChange={(event) => set({ exitPassword: event.target.value })}
              />
              {error('exitPassword')}
              <div className="field-help">{t(`deviceKiosk.help.${held ? 'exitPasswordKept' : 'exitPassword'}`)}</div>
            </div>
            {(['statusBar', 'homeKey'] as const).map((name) => (
              <div key={name} className="field field-switch">
                <label htmlFor={`${id}-${name}`}>{t(`deviceKiosk.field.${name}`)}</label>
                <Switch id={`${id}-${name}`} checked={draft[name]} onChange={(on) => set({ [name]: on })} />
              </div>
            ))}
            {mayEdit && (
              <div className="drawer-buttons">
                {held && (
                  <Button disabled={busy} onClick={() => send('kioskOff', {})}>
                    {t('deviceKiosk.kioskOff')}
                  </Button>
                )}
                <Button type="primary" loading={busy} onClick={enable}>
                  {t(held ? 'kit.form.save' : 'deviceKiosk.kioskOn')}
                </Button>
              </div>
            )}
          </div>
        </section>
        <div>
          <KioskApps
            apps={detail.apps}
            mode={draft.mode}
            allowed={draft.packages}
            onChange={(packages) => set({ packages })}
          />
          {error('packages')}
        </div>
      </div>
    </div>
  )
}
