import {
  brokerTask,
  type CommandName,
  commands,
  commandTextKey,
  deviceTask,
  type MadeTask,
  type RefusedReason,
} from '@campanile/contract/command'
import type { CommandSpec } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { ComposeDrawer } from '../../../kit/compose/ComposeDrawer.tsx'
import { Step } from '../../../kit/compose/Step.tsx'
import type { Values } from '../../../kit/form/formValues.ts'
import { useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useSession } from '../../../shell/session/session.ts'
import { askToLeave, useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { ProofInput } from '../order/ProofInput.tsx'
import { composerForm, type NamedTarget, type Telling } from '../tellDevices.tsx'
import { Arguments } from './Arguments.tsx'
import { CommandTiles } from './CommandTiles.tsx'
import { type Draft, type DraftHandle, nothingYet } from './draft.ts'
import { OwnMessage } from './OwnMessage.tsx'
import { Sent } from './Sent.tsx'
import { sendOrder } from './sendOrder.ts'
import { Targets } from './Targets.tsx'
import { TaskPreview } from './TaskPreview.tsx'
import { missingOf, shareOf, type Timing, timingOf, useTiming } from './timing.ts'
import { usePreview } from './usePreview.ts'
import { type KeptTargets, useTargets } from './useTargets.ts'
import { timeInput, When } from './When.tsx'
import { longestOpen } from './Windows.tsx'
import '../order/order.css'
import './composer.css'

/** A composer as it comes back after the page was loaded anew. */
interface KeptTelling {
  readonly telling: Telling
  readonly targets: KeptTargets
  readonly command: CommandName | undefined
  readonly typed: Values | undefined
  readonly timing: Timing
}

const oneOf = (targets: readonly NamedTarget[]): string | undefined => {
  const [only, second] = targets
  return only && !second && 'sns' in only && only.sns.length === 1 ? only.sns[0] : undefined
}

/** Whom, what and when on the left; on the right who would receive it as things stand now. One task comes of it. */
export function Composer({
  targets: given = [],
  command: asked,
  args,
  door,
  onClose,
}: Telling & { onClose: () => void }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const queries = useQueryClient()
  const name = useSession((state) => state.session?.user.realName)
  const kept = useKeptInput<KeptTelling>(composerForm)
  const targets = useTargets(given, kept?.targets)
  const [command, setCommand] = useState<CommandName | undefined>(kept ? kept.command : asked)
  const [draft, setDraft] = useState<Draft>(nothingYet)
  const entered = useRef<DraftHandle>(null)
  const timing = useTiming(kept?.timing)
  const [typed, setTyped] = useState('')
  const [made, setMade] = useState<MadeTask>()
  const [busy, setBusy] = useState(false)
  const [pressed, setPressed] = useState(false)
  const [error, setError] = useState<unknown>()
  const when = timingOf(timing.value, command && commands[command])
  const seen = usePreview({ target: targets.target, draft: command === undefined ? nothingYet : draft, when })
  const { data: preview } = seen
  // What the preview refuses is marked where it was entered, and no longer once it is put right.
  useEffect(() => void entered.current?.blame(seen.error ?? undefined), [seen.error])
  const hit = preview?.receiving ?? 0
  const sn = oneOf(targets.chosen)
  const destroys = command !== undefined && ((commands[command] as CommandSpec).destroys ?? false)
  const proof = sn ?? String(hit)
  const dirty = !made && (targets.changed || draft.touched)
  useDirtyGuard(dirty, {
    as: composerForm,
    input: {
      telling: { targets: given, command: asked, door },
      targets: { chosen: targets.chosen, without: targets.without },
      command,
      typed: draft.typed,
      timing: timing.value,
    } satisfies KeptTelling,
    partly: draft.partly === true,
  })
  const title = sn === undefined ? t('composer.title') : t('composer.titleOf', { sn })
  const close = async () => {
    if (!busy && (!dirty || (await askToLeave([title])))) onClose()
  }
  const label = command && (command === 'custom' ? t('composer.own') : t(commandTextKey(command)))
  const total = targets.facts?.total

  const send = async () => {
    setPressed(true)
    const read = entered.current?.read()
    if (read && 'wrong' in read) {
      document.getElementById(read.wrong)?.focus()
      return
    }
    if (targets.target && read && when.wrong) document.getElementById(timeInput)?.focus()
    if (!targets.target || !read || when.wrong || hit === 0 || (destroys && typed.trim() !== proof) || busy) return
    setBusy(true)
    setError(undefined)
    try {
      setMade(await sendOrder({ door, draft: read, target: targets.target, timing: when.input }))
      await Promise.all([deviceTask, brokerTask].map((of) => queries.invalidateQueries({ queryKey: listKey(of) })))
    } catch (failure) {
      setError(failure)
      const blamed = entered.current?.blame(failure)
      if (blamed) document.getElementById(blamed)?.focus()
      void seen.refetch()
    } finally {
      setBusy(false)
    }
  }
  const leaveOut = async (reasons: readonly RefusedReason[]) => {
    setError(undefined)
    await seen.serialsOf([...reasons]).then(targets.leaveOut, setError)
  }
  const { now, later } = shareOf(hit, when.input, preview?.windows)
  const verb =
    hit === 0
      ? t('composer.sendNone')
      : now > 0 && later > 0
        ? t('composer.sendAndPlan', { now: reader.number(now), later: reader.number(later) })
        : later > 0
          ? t('composer.plan', { count: hit, shown: reader.number(hit) })
          : sn === undefined
            ? t('composer.send', { count: hit, shown: reader.number(hit) })
            : t('composer.sendTo', { sn })
  const typedBefore = kept && kept.command === command ? kept.typed : undefined
  return (
    <ComposeDrawer
      title={title}
      sub={
        label !== undefined && sn === undefined && total !== undefined
          ? t('composer.sub', { command: label, count: total, shown: reader.number(total) })
          : label
      }
      form="composer-form"
      made={
        made && {
          content: <Sent made={made} own={command === 'custom'} />,
          buttons: (
            <Button
              onClick={() => {
                setMade(undefined)
                setTyped('')
                setPressed(false)
              }}
            >
              {sn === undefined ? t('composer.another') : t('composer.anotherOf', { sn })}
            </Button>
          ),
        }
      }
      error={error}
      busy={busy}
      foot={t(when.input.maintenance ? 'composer.footWindow' : 'composer.foot', { name })}
      verb={verb}
      danger={destroys}
      disabled={hit > 0 && destroys && typed.trim() !== proof}
      onSend={send}
      onLeave={close}
      onClose={onClose}
      afterOpen={focusFirst}
      preview={
        <TaskPreview
          seen={seen}
          missing={missingOf({ targets: targets.target, command, args: draft.args, time: !when.wrong })}
          sendTime={when.input.sendTime}
          onLeaveOut={leaveOut}
        >
          {destroys && command && hit > 0 && (
            <ProofInput
              id="composer-proof"
              command={command}
              sn={sn}
              proof={proof}
              typed={typed}
              onType={setTyped}
              waitMinutes={when.input.waitMinutes ?? longestOpen(preview?.windows)}
            />
          )}
        </TaskPreview>
      }
    >
      <Step
        number={1}
        title={t('composer.targets')}
        note={total === undefined ? undefined : t('compose.total', { count: total, shown: reader.number(total) })}
      >
        <Targets targets={targets} wanted={pressed} />
      </Step>
      <Step number={2} title={t('composer.command')}>
        <CommandTiles value={command} facts={targets.facts} wanted={pressed} onChange={setCommand} />
        {command === 'custom' ? (
          <OwnMessage ref={entered} typed={typedBefore} onDraft={setDraft} />
        ) : (
          command && (
            <Arguments
              key={command}
              ref={entered}
              command={command}
              given={command === asked ? args : undefined}
              typed={typedBefore}
              facts={targets.facts}
              onDraft={setDraft}
            />
          )
        )}
      </Step>
      <Step number={3} title={t('composer.when')} last>
        <When
          timing={timing}
          command={command}
          preview={preview}
          error={pressed && when.wrong ? t('composer.timeWanted') : undefined}
        />
      </Step>
    </ComposeDrawer>
  )
}

/** What is still open: an argument, the command, or whom it is for. */
function focusFirst(): void {
  const left = document.querySelector('#composer-form')
  const wanted =
    left?.querySelector<HTMLElement>('.compose-chips[data-empty="true"] button') ??
    left?.querySelector<HTMLElement>('.composer-args :is(input, textarea)') ??
    left?.querySelector<HTMLElement>('.composer-tiles[data-empty="true"] button') ??
    document.querySelector<HTMLElement>('#composer-proof') ??
    document.querySelector<HTMLElement>('button[form="composer-form"]')
  wanted?.focus()
}
