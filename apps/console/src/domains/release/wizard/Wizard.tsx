import { isPartialSuccess } from '@campanile/client'
import type { RefusedReason } from '@campanile/contract/command'
import { devicesMax } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import {
  createRelease,
  type ReleaseKindSpec,
  release,
  releaseDetail,
  releaseKindSpecs,
} from '@campanile/contract/release'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Drawer, Input, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { keepEnterInPicker } from '../../../kit/form/enterInPicker.ts'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { calls, usePermitted, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { describeError } from '../../../shell/errorText.ts'
import { toast } from '../../../shell/feedback.ts'
import { useSession } from '../../../shell/session/session.ts'
import { askToLeave, useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { type Releasing, wizardForm } from '../releaseItem.tsx'
import { beginningOf, faultOf, type How, optionsOf, startOf } from './how.ts'
import { givenOf, isGivenWrong, KindFields } from './KindFields.tsx'
import { Limits } from './Limits.tsx'
import { PreviewSide } from './PreviewSide.tsx'
import { Step } from './Step.tsx'
import { type Order, usePreview } from './usePreview.ts'
import { type KeptWhom, useWhom } from './useWhom.ts'
import { Waves } from './Waves.tsx'
import { timeInput, When } from './When.tsx'
import { Whom } from './Whom.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import './wizard.css'

/** A wizard as it comes back after the page was loaded anew. */
interface Kept {
  readonly releasing: Releasing
  readonly whom: KeptWhom
  readonly how: How
}
type Made = AnswerOf<typeof createRelease>

const descriptionMax = 256
const detailOf = (id: number) => `/release/detail/${id}`

/** Whom and how on the left; on the right who would be hit, in which waves, as things stand now. One release comes of it. */
export function Wizard({ kind, item, action, targets = [], sns = [], onClose }: Releasing & { onClose: () => void }) {
  const reader = useReader(release)
  const { t } = reader
  const spec: ReleaseKindSpec = releaseKindSpecs[kind]
  const queries = useQueryClient()
  const navigate = useNavigate()
  const id = useId()
  const person = useSession((state) => state.session?.user.realName)
  const mayOpen = usePermitted(releaseDetail.perm)
  const kept = useKeptInput<Kept>(wizardForm)
  const whom = useWhom(targets, sns, kept?.whom)
  const [start] = useState(() => startOf(spec, action))
  const [how, setHow] = useState(kept?.how ?? start)
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [made, setMade] = useState<Made>()
  const change = (part: Partial<How>) => setHow((before) => ({ ...before, ...part }))

  const fault = faultOf(how, new Date())
  const tooMany = whom.sns.length > devicesMax
  const wrongGiven = isGivenWrong(kind, how.given)
  const installs = spec.installModes.length > 0 && how.action === spec.actions[0]
  const order: Order | undefined =
    whom.target && !fault && !tooMany && !wrongGiven
      ? {
          kind,
          itemId: item.id,
          action: how.action,
          ...whom.target,
          mode: how.mode,
          ...beginningOf(how),
          ...(installs && how.installMode && { installMode: how.installMode }),
          ...givenOf(kind, how.given),
          options: optionsOf(how, spec),
        }
      : undefined
  const seen = usePreview(order)
  const hit = seen.data?.receiving ?? 0
  const dirty = !made && (whom.changed || JSON.stringify(how) !== JSON.stringify(start))
  const settle = useDirtyGuard(dirty, {
    as: wizardForm,
    input: {
      releasing: { kind, item, action, targets, sns },
      whom: { named: whom.named, sns: whom.sns, without: whom.without },
      how,
    } satisfies Kept,
  })
  const named = [item.name, item.version].filter(Boolean).join(' ')
  const title = t('wizard.title', { name: named })
  const close = async () => {
    if (!busy && (!dirty || (await askToLeave([title])))) onClose()
  }

  const send = async () => {
    setPressed(true)
    if (fault === 'timeWanted' || fault === 'timePassed') document.getElementById(timeInput)?.focus()
    if (!order || hit === 0 || busy) return
    setBusy(true)
    setError(undefined)
    try {
      const description = how.description.trim()
      const answer = await calls
        .call(createRelease, { ...order, partly: true, ...(description !== '' && { description }) })
        .catch((failure: unknown) => {
          if (isPartialSuccess(failure)) return failure.data as Made
          throw failure
        })
      settle()
      await queries.invalidateQueries({ queryKey: listKey(release) })
      await queries.invalidateQueries({ queryKey: ['list', kind] })
      toast.success(
        t('wizard.made', { number: answer.number, count: answer.total, shown: reader.number(answer.total) }),
      )
      if (answer.releases === undefined && mayOpen) {
        onClose()
        void navigate(detailOf(answer.id))
      } else setMade(answer)
    } catch (failure) {
      setError(failure)
      void seen.refetch()
    } finally {
      setBusy(false)
    }
  }
  const leaveOut = async (reasons: readonly RefusedReason[]) => {
    setError(undefined)
    await seen.serialsOf(reasons).then(whom.leaveOut, setError)
  }
  const failure = error === undefined ? undefined : describeError(error)
  const verb =
    hit === 0
      ? t('wizard.sendNone')
      : t(how.mode === 'scheduled' ? 'wizard.plan' : 'wizard.send', { count: hit, shown: reader.number(hit) })
  const missing = !whom.target
    ? 'wizard.unsure.whom'
    : tooMany
      ? 'wizard.unsure.tooMany'
      : wrongGiven
        ? 'wizard.unsure.given'
        : fault && `wizard.unsure.${fault}`
  const form = `${id}-form`
  return (
    <Drawer
      open
      size={1120}
      className="releasing"
      title={
        <>
          {title} <span className="releasing-sub">{reader.option('kind', kind)}</span>
        </>
      }
      onClose={close}
      footer={
        made ? (
          <div className="drawer-buttons">
            <Button type="primary" autoFocus onClick={onClose}>
              {t('kit.close')}
            </Button>
          </div>
        ) : (
          <div className="drawer-buttons">
            <span className="why">{t('wizard.foot', { name: person })}</span>
            <Button onClick={close} disabled={busy}>
              {t('kit.cancel')}
            </Button>
            <Button type="primary" htmlType="submit" form={form} loading={busy}>
              {verb}
            </Button>
          </div>
        )
      }
    >
      {made ? (
        <ul className="releasing-made" role="status">
          {(made.releases ?? [made]).map((each) => (
            <li key={each.id}>
              {t('wizard.made', { number: each.number, count: each.total, shown: reader.number(each.total) })}{' '}
              {mayOpen && <Link to={detailOf(each.id)}>{t('wizard.open')}</Link>}
            </li>
          ))}
        </ul>
      ) : (
        <div className="releasing-sides">
          <form
            id={form}
            className="releasing-left"
            noValidate
            onKeyDown={keepEnterInPicker}
            onSubmit={(event) => {
              event.preventDefault()
              void send()
            }}
          >
            {failure && (
              <div className="field-error" role="alert">
                <strong>{failure.title}</strong> {failure.text}
              </div>
            )}
            <Step
              number={1}
              title={t('wizard.whom')}
              note={seen.data && t('wizard.total', { count: seen.data.total, shown: reader.number(seen.data.total) })}
            >
              <Whom whom={whom} wanted={pressed} />
            </Step>
            <Step number={2} title={t(spec.actions.length > 1 ? 'wizard.whatWhen' : 'wizard.when')}>
              {spec.actions.length > 1 && (
                <Radio.Group
                  aria-label={reader.field('action')}
                  value={how.action}
                  onChange={({ target }) => change({ action: target.value })}
                  options={spec.actions.map((value) => ({ value, label: reader.option('action', value) }))}
                />
              )}
              <When
                how={how}
                spec={spec}
                onChange={change}
                error={
                  pressed && (fault === 'timeWanted' || fault === 'timePassed')
                    ? t(`wizard.unsure.${fault}`)
                    : undefined
                }
              />
              <KindFields kind={kind} given={how.given} wanted={pressed} onChange={(given) => change({ given })} />
              {installs && (
                <Labelled id={`${id}-install`} label={reader.field('installMode')}>
                  {(state) => (
                    <Select
                      {...state}
                      className="whole"
                      value={how.installMode}
                      onChange={(installMode) => change({ installMode })}
                      options={spec.installModes.map((value) => ({
                        value,
                        label: reader.option('installMode', value),
                      }))}
                    />
                  )}
                </Labelled>
              )}
            </Step>
            <Step number={3} title={t('wizard.waves')}>
              <Waves
                how={how}
                onChange={change}
                error={fault === 'waveAmount' || fault === 'waveOrder' ? t(`wizard.unsure.${fault}`) : undefined}
              />
            </Step>
            <Step number={4} title={t('wizard.limits')} last>
              <Limits how={how} spec={spec} onChange={change} />
              <Labelled id={`${id}-description`} label={reader.field('description')}>
                {(state) => (
                  <Input.TextArea
                    {...state}
                    autoSize={{ minRows: 2, maxRows: 5 }}
                    maxLength={descriptionMax}
                    showCount
                    value={how.description}
                    onChange={({ target }) => change({ description: target.value })}
                  />
                )}
              </Labelled>
            </Step>
          </form>
          <PreviewSide seen={seen} missing={missing} running={spec.errors.deviceRunning.code} onLeaveOut={leaveOut} />
        </div>
      )}
    </Drawer>
  )
}
