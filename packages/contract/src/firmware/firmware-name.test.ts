import { describe, expect, it, test } from 'vitest'
import { readFirmwareName } from './firmware-name.ts'

describe('the name of a firmware file', () => {
  it('has five parts and an ending', () => {
    expect(readFirmwareName('T30_4G_10_3.2.0_1.img')).toEqual({
      ok: true,
      name: { model: 'T30', wireless: '4G', sv: '10', fv: '3.2.0', pv: '1', ending: 'img' },
    })
    expect(readFirmwareName('港口 T30_EC25-E_Android 10_3.2.0-rc1_1.0.ZIP')).toMatchObject({
      ok: true,
      name: { model: '港口 T30', wireless: 'EC25-E', sv: 'Android 10', fv: '3.2.0-rc1', pv: '1.0', ending: 'zip' },
    })
  })

  test.each([
    ['T30_4G_10_3.2.0.img', 'pv', 'missing'],
    ['T30_4G_10.img', 'fv', 'missing'],
    ['T30.img', 'wireless', 'missing'],
    ['.img', 'model', 'empty'],
    ['T30_4G__3.2.0_1.img', 'sv', 'empty'],
    ['T30_4G_10_3.2.0_.img', 'pv', 'empty'],
    ['_4G_10_3.2.0_1.img', 'model', 'empty'],
    ['T30_4G_10_3.2.0_1_2.img', 'pv', 'more'],
    [`${'T'.repeat(65)}_4G_10_3.2.0_1.img`, 'model', 'tooLong'],
    [`${'T'.repeat(300)}.img`, 'name', 'tooLong'],
    ['T30 _4G_10_3.2.0_1.img', 'model', 'characters'],
    ['T30_4\u200bG_10_3.2.0_1.img', 'wireless', 'characters'],
    ['T30_4G_10_3.2\0_1.img', 'fv', 'characters'],
    ['T30_4G_10_3.2.0_1.apk', 'ending', 'unknown'],
    ['T30_4G_10_3.2.0_1', 'ending', 'unknown'],
    ['T30_4G_10_3_1img', 'ending', 'unknown'],
    ['', 'ending', 'unknown'],
    ['../T30_4G_10_3.2.0_1.img', 'name', 'isPath'],
    ['C:\\T30_4G_10_3.2.0_1.img', 'name', 'isPath'],
  ])('%j is refused for its %s: %s', (name, part, fault) => {
    expect(readFirmwareName(name)).toEqual({ ok: false, part, fault })
  })

  it('ends with whatever comes', () => {
    expect(readFirmwareName('_'.repeat(100_000))).toMatchObject({ ok: false, part: 'name' })
    expect(readFirmwareName(`${'_'.repeat(250)}.img`)).toMatchObject({ ok: false, part: 'model' })
  })
})
