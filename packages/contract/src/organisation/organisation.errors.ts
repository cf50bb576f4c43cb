import { defineErrors } from '../kit/errors.ts'

export const organisationErrors = defineErrors({
  // Organisations (21051-21078)
  nameExists: { code: 21051, status: 409, field: 'name' },
  parentMissing: { code: 21052, status: 400, field: 'parentId' },
  parentTypeRefused: { code: 21053, status: 409, field: 'parentId' },
  nestingSi: { code: 21054, status: 409, field: 'parentId' },
  nestingEnterprise: { code: 21055, status: 409, field: 'parentId' },
  nestingSchool: { code: 21056, status: 409, field: 'parentId' },
  topLevelNotAllowed: { code: 21057, status: 403, field: 'parentId' },
  customerTypeFixed: { code: 21058, status: 409, field: 'customerType' },
  hasChildren: { code: 21059, status: 409 },
  hasDevicesOrPeople: { code: 21060, status: 409 },
  enterpriseBySuperOnly: { code: 21061, status: 403, field: 'type' },
  movedUnderItself: { code: 21062, status: 409, field: 'parentId' },
  notFound: { code: 21063, status: 404 },
  typeFixed: { code: 21064, status: 409, field: 'type' },
  deleteNotAllowed: { code: 21065, status: 403 },
  outsideScope: { code: 21066, status: 403 },
  nestingSection: { code: 21067, status: 409, field: 'parentId' },
  nestingGrade: { code: 21068, status: 409, field: 'parentId' },
  nestingClass: { code: 21069, status: 409, field: 'parentId' },
  nestingSubDepartment: { code: 21070, status: 409, field: 'parentId' },
  nestingGraduating: { code: 21071, status: 409, field: 'parentId' },
  promotionDateMissing: { code: 21072, status: 400, field: 'promotionDate' },
  promotionAlreadyRun: { code: 21073, status: 409 },
  promotionUndoOver: { code: 21074, status: 409 },
  // Enterprises (30401-30403)
  enterpriseEmpty: { code: 30401, status: 400, field: 'departmentId' },
  enterpriseExists: { code: 30402, status: 409, field: 'name' },
  enterpriseNotFound: { code: 30403, status: 404 },
  // Messaging app of a school (third-party part of 130001-139008)
  messagingNotAuthorised: { code: 139001, status: 409 },
  corpIdWrong: { code: 139002, status: 400, field: 'corpId' },
  messagingUnreachable: { code: 139003, status: 503 },
  messagingSyncRunning: { code: 139004, status: 409 },
})
