import { AppError, commonErrors, deviceDetail, deviceEvent, deviceKiosk, deviceTimeline } from '@campanile/contract'
import type { Kit } from '../../kit/route.ts'
import { describeDevice, findDevice } from './detail.store.ts'
import { findEvent, findTimeline } from './timeline.store.ts'
import { findTraffic } from './traffic.store.ts'

/** One device: what it is, and what happened to it. */
export const mountDetail = (kit: Kit) => {
  kit.guarded(deviceDetail, 'device', async ({ db, scope, input }) => {
    const row = await findDevice(db, scope, input.sn)
    const [detail, traffic] = await Promise.all([describeDevice(db, row), findTraffic(db, row.id)])
    const { days: _days, ...used } = traffic
    return { ...detail, traffic: used }
  })

  kit.guarded(deviceKiosk, 'device', async ({ db, scope, input }) => {
    const { kiosk, apps } = await describeDevice(db, await findDevice(db, scope, input.sn))
    return { kiosk, apps }
  })

  kit.guarded(deviceTimeline, 'device', async ({ db, scope, actor, input }) => {
    const { id, sn } = await findDevice(db, scope, input.sn)
    return findTimeline(db, { id, sn }, actor, input.before)
  })

  kit.guarded(deviceEvent, 'device', async ({ db, scope, input }) => {
    const { id } = await findDevice(db, scope, input.sn)
    const event = await findEvent(db, id, input.id)
    if (!event) throw new AppError(commonErrors.resourceNotFound)
    return event
  })
}
