import { organisationType } from '@campanile/contract'
import { plant } from '../domains/identity/index.ts'
import type { Db } from '../platform/db.ts'

const { subDepartment, enterprise, section, grade, graduatingClass } = organisationType

export const growRetail = async (db: Db, si: number) => {
  const id = await plant(db, {
    name: 'Northgate Retail',
    type: enterprise,
    parentId: si,
    also: { large_screen_title: 'Northgate live' },
  })
  const office = await plant(db, { name: 'Head office', type: subDepartment, parentId: id })
  for (const name of ['Finance', 'Human resources', 'Information technology'])
    await plant(db, { name, type: subDepartment, parentId: office })
  const north = await plant(db, { name: 'Stores north', type: subDepartment, parentId: id })
  const south = await plant(db, { name: 'Stores south', type: subDepartment, parentId: id })
  const stores: number[] = []
  for (const [region, names] of [
    [north, ['Ashford', 'Belmont', 'Cranbrook', 'Dunmore', 'Eastleigh', 'Fairview']],
    [south, ['Glenwood', 'Hartwell', 'Inglewood', 'Jarrow', 'Kingsley', 'Langham']],
  ] as const)
    for (const name of names)
      stores.push(await plant(db, { name: `Store ${name}`, type: subDepartment, parentId: region }))
  await plant(db, { name: 'Central warehouse', type: subDepartment, parentId: id })
  return { id, north, stores }
}

export const growLogistics = async (db: Db, si: number) => {
  const id = await plant(db, { name: 'Meridian Logistics', type: enterprise, parentId: si })
  for (const [name, teams] of [
    ['Depot Rotterdam', ['Inbound', 'Sorting', 'Outbound']],
    ['Depot Leipzig', ['Inbound', 'Outbound']],
    ['Fleet', ['Long haul', 'City vans']],
  ] as const) {
    const parentId = await plant(db, { name, type: subDepartment, parentId: id })
    for (const team of teams) await plant(db, { name: team, type: subDepartment, parentId })
  }
  return { id }
}

export const growSchool = async (db: Db, si: number) => {
  const id = await plant(db, {
    name: 'Riverside School',
    type: organisationType.school,
    parentId: si,
    also: {
      school_category: 5,
      school_code: 'RS2026',
      auto_promotion: true,
      promotion_date: '07-01',
      area_name: 'Riverside',
    },
  })
  const classes: number[] = []
  for (const [name, years] of [
    ['Primary section', [1, 2, 3, 4, 5, 6]],
    ['Junior section', [7, 8, 9]],
  ] as const) {
    const parentId = await plant(db, { name, type: section, parentId: id })
    for (const year of years) {
      const gradeId = await plant(db, { name: `Grade ${year}`, type: grade, parentId })
      for (const letter of ['A', 'B'])
        classes.push(
          await plant(db, { name: `Class ${year}${letter}`, type: organisationType.class, parentId: gradeId }),
        )
    }
  }
  await plant(db, { name: 'Leavers 2026', type: graduatingClass, parentId: id })
  await plant(db, { name: 'Administration', type: subDepartment, parentId: id })
  return { id, classes }
}
