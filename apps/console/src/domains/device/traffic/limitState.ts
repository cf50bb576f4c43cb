export interface Used {
  limitMb: number | null
  alarmPercent: number | null
  usedMb: number
}

/** Where a month stands: far from its limit, past the share that warns, or over. */
export const limitState = ({ limitMb, alarmPercent, usedMb }: Used): 'none' | 'fine' | 'alarm' | 'over' => {
  if (limitMb === null) return 'none'
  if (usedMb > limitMb) return 'over'
  return alarmPercent !== null && usedMb * 100 >= limitMb * alarmPercent ? 'alarm' : 'fine'
}
