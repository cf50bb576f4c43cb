/** The codes of the wire (behaviour: organisations.types). */
export const organisationType = {
  subDepartment: 0,
  enterprise: 1,
  school: 2,
  si: 3,
  section: 4,
  grade: 5,
  class: 6,
  administrativeClass: 7,
  graduatingClass: 8,
} as const
export type OrganisationType = (typeof organisationType)[keyof typeof organisationType]

const { subDepartment, enterprise, school, si, section, grade, administrativeClass, graduatingClass } = organisationType

/** Which types may stand above a type. The platform's own root is an SI without a parent. */
const parents: Record<OrganisationType, readonly OrganisationType[]> = {
  [subDepartment]: [enterprise, school, si, subDepartment],
  [enterprise]: [si],
  [school]: [si, enterprise],
  [si]: [si],
  [section]: [school],
  [grade]: [school, section],
  [organisationType.class]: [grade],
  [administrativeClass]: [grade],
  [graduatingClass]: [school],
}

export const mayStandUnder = (type: OrganisationType, parent: OrganisationType) => parents[type].includes(parent)

export const childTypes = (parent: OrganisationType): OrganisationType[] =>
  (Object.values(organisationType) as OrganisationType[]).filter((type) => mayStandUnder(type, parent))

/** The types that stand for themselves: each has its own administrators, safety officer and shipped roles. */
export const isHead = (type: number) => ([enterprise, school, si] as readonly number[]).includes(type)
