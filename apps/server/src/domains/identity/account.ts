import { admits } from './address-list.ts'

/** Zero-width and other invisible characters: two names that look alike are one account and one failure counter. */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

export const usernameKey = (name: string) =>
  name.normalize('NFKC').replace(invisible, '').trim().toLowerCase().normalize('NFKC')

/** Days a password may be used for (behaviour: sign-in.password-age). */
export const passwordAgeDays = (changedAt: string, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(changedAt)) / 86_400_000))

interface Conditions {
  readonly disabled: boolean
  readonly validStart: string | null
  readonly validEnd: string | null
  readonly whitelistIp: readonly string[]
}

/** Both days count; UTC, as everything stored. */
export const isWithinValidity = ({ validStart, validEnd }: Conditions, now: Date) => {
  const today = now.toISOString().slice(0, 10)
  return (!validStart || today >= validStart) && (!validEnd || today <= validEnd)
}

export const isAllowedFrom = ({ whitelistIp }: Conditions, ip: string) => admits(whitelistIp, ip)
