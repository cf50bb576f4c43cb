import { sql } from 'kysely'
import { expect } from 'vitest'
import { pngOf } from '../test/png.ts'
import { uploadWhole } from '../test/uploads.ts'
import type { Enterprise, Person, World } from '../test/world.ts'
import { furnishRelease } from './furnish-releases.ts'

/** A poster, and a template with a device that it was applied to. */
export const furnishShown = async (
  { db }: Pick<World, 'db'>,
  person: Person,
  owner: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin'>,
  device: number,
) => {
  const { word, id, shop } = owner
  const made = async (path: string, body: Record<string, unknown>) => {
    const answer = await person.post(path, body)
    expect(answer.code, answer.message).toBe(100000)
    return answer.data.id as number
  }
  const picture = Buffer.concat([pngOf(480, 800), Buffer.from(word)])
  const poster = await made('/api/v3/device/sliders/create', {
    title: `${word} poster`,
    text: word,
    uploadId: (await uploadWhole(person, picture, `${word}.png`, 'poster')).id,
    validUntil: '2999-01-01T00:00:00Z',
    departmentId: id,
  })
  const configTemplate = await made('/api/v3/device/configuration/create', {
    name: `${word} template`,
    departmentId: id,
    wifi: 'on',
    wifiSsid: word,
    wifiSecurity: 'wpa2',
    wifiPassword: `${word} password`,
  })
  const { rows } = await sql<{
    id: number
  }>`insert into template_device (device_id, sn, template_id, department_id, version,
      held, before, apply_time, told_time)
    select d.id, d.sn, ${configTemplate}, ${shop}, 1, '{"wifi":"off"}', '{}', now(), now() from device d
    where d.id = ${device} returning id`.execute(db)
  const about = { kind: 'poster', item: poster, name: `${word} poster`, action: 'show' }
  const { device: posterResult } = await furnishRelease({ db }, owner, about)
  return { poster, posterResult, configTemplate, templateDevice: rows[0]?.id as number }
}
