import {
  AppError,
  agreements,
  type ConfigValues,
  commonErrors,
  configSecrets,
  organisationErrors,
  readConfig,
  runtime,
  writeConfig,
} from '@campanile/contract'
import { isPublicAddress } from '../../platform/outbound-url.ts'
import type { Services } from '../../services.ts'
import { countOnline, departmentExists, findUpdates } from './config.store.ts'

/** What pages that are open now have already read. */
const readAtStart: readonly (keyof ConfigValues)[] = [
  'title',
  'defaultLanguage',
  'showOnlineCount',
  'passwordProfile',
  'sessionIdleMinutes',
  'mapVariant',
  'signSecret',
]
const countForMs = 10_000

/** Of a secret the screen learns only whether there is one. */
const shown = <V extends Partial<ConfigValues>>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      configSecrets.includes(key as keyof ConfigValues) && value ? '***' : value,
    ]),
  ) as V

export const mountConfig = ({ kit, config, settings }: Services) => {
  let counted: { at: number; count: Promise<number> } | undefined

  /** Anybody may ask, so it is counted every ten seconds and not at every sign-in page. */
  const online = (minutes: number) => {
    if (!counted || Date.now() - counted.at > countForMs)
      counted = { at: Date.now(), count: countOnline(kit.db, minutes) }
    return counted.count
  }

  kit.open(runtime, 'config', async () => {
    const values = await settings.all()
    return {
      title: values.title,
      logo: values.logo,
      defaultLanguage: values.defaultLanguage,
      captcha: config.captcha,
      mobileLogin: values.smsWebhook !== null,
      scanLogin: true,
      allowOnlineCount: values.showOnlineCount,
      onlineCount: values.showOnlineCount ? await online(values.sessionIdleMinutes) : null,
      sessionIdleMinutes: values.sessionIdleMinutes,
      passwordProfile: values.passwordProfile,
      demo: config.demo,
    }
  })

  kit.open(agreements, 'config', async () => {
    const { serviceAgreement, privacyPolicy } = await settings.all()
    return { serviceAgreement, privacyPolicy }
  })

  kit.guarded(readConfig, 'config', async ({ db }) => ({
    values: shown(await settings.all()),
    updated: await findUpdates(db),
  }))

  kit.guarded(writeConfig, 'config', async (call) => {
    const { db, actor, input } = call
    const before = await settings.all()
    const changed = Object.fromEntries(
      Object.entries(input).filter(
        ([key, value]) =>
          value !== undefined && JSON.stringify(value) !== JSON.stringify(before[key as keyof ConfigValues]),
      ),
    ) as Partial<ConfigValues>
    const place = changed.trustedIssuerDepartmentId
    if (place && !(await departmentExists(db, place)))
      throw new AppError(
        { ...commonErrors.wrongFormat, field: 'trustedIssuerDepartmentId' },
        { field: 'trustedIssuerDepartmentId' },
      )
    const after = { ...before, ...changed }
    // Said while it is entered, and not by messages that never go out. The same when what allowed it is turned off.
    const isAsked = changed.smsWebhook !== undefined || changed.allowPrivateServer === false
    if (isAsked && after.smsWebhook && !after.allowPrivateServer && !isPublicAddress(after.smsWebhook))
      throw new AppError({ ...organisationErrors.addressRefused, field: 'smsWebhook' })
    const keys = Object.keys(changed) as (keyof ConfigValues)[]
    if (keys.length > 0) await settings.save(db, changed, actor.id)
    call.note({
      type: 'update',
      description: keys.join(', '),
      before: shown(Object.fromEntries(keys.map((key) => [key, before[key]]))),
      after: shown(changed),
    })
    call.afterCommit(settings.forget)
    return { values: shown(after), needsReload: keys.some((key) => readAtStart.includes(key)) }
  })
}
