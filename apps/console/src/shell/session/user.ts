export type DepartmentRef = { id: number; name: string }

export type OperatingOn = {
  departmentId: number
  departmentName: string
  departmentType: number
  path: DepartmentRef[]
}

/** The signed-in administrator as the server describes them. */
export type User = {
  uid: number
  username: string
  realName: string
  photo: string | null
  type: number
  departmentId: number
  departmentName: string
  departmentType: number
  parent: number | null
  mobile: string | null
  isExpired: boolean
  passwordAgeDays: number
  enable2fa: boolean
  areaName: string | null
  largeScreenTitle: string | null
  enableDeviceActiveStats: boolean
  /** Present while another organisation than one's own is operated on. */
  operating?: OperatingOn
}
