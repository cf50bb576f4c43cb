import { defineErrors } from '../kit/errors.ts'

export const callsErrors = defineErrors({
  // Call rules (130001-139008, shared with person)
  rateConflict: { code: 130011, status: 409, values: ['name'] },
  ruleTypeExists: { code: 130012, status: 409, field: 'type' },
  ruleNotFound: { code: 133001, status: 404 },
  windowsOverlap: { code: 133002, status: 400, field: 'windows' },
  ruleInUse: { code: 133003, status: 409 },
  targetBound: { code: 133004, status: 409, values: ['name'] },
  targetsRequired: { code: 133005, status: 400, field: 'targets' },
  ruleNotAuthorised: { code: 133006, status: 403 },
  // Why a call is refused
  calleeNotContact: { code: 134001, status: 409 },
  outsideWindow: { code: 134002, status: 409 },
  dailyLimitReached: { code: 134003, status: 409 },
  balanceTooLow: { code: 134004, status: 409 },
  callLicenceExpired: { code: 134005, status: 409 },
  contactNotConsented: { code: 134006, status: 409 },
  // Orders
  orderNotFound: { code: 136001, status: 404 },
  orderStateRefused: { code: 136002, status: 409 },
  refundTooHigh: { code: 136003, status: 400, field: 'amount' },
  merchantMissing: { code: 136004, status: 409 },
  chargePackageOff: { code: 136005, status: 409 },
  // Devices, wallet and amounts
  deviceOffline: { code: 137050, status: 409, values: ['sn'] },
  commandFailed: { code: 137051, status: 409, values: ['sn'] },
  walletNotFound: { code: 137101, status: 404 },
  walletFrozen: { code: 137102, status: 409 },
  balanceInsufficient: { code: 137103, status: 409, field: 'amount' },
  amountOverLimit: { code: 137104, status: 400, field: 'amount', values: ['limit'] },
  reasonRequired: { code: 137105, status: 400, field: 'reason' },
  // Payment provider
  paymentUnreachable: { code: 138001, status: 503 },
  paymentRefused: { code: 138002, status: 409 },
  paymentSignatureWrong: { code: 138003, status: 400 },
})
