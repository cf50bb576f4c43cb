export const detailPath = (sn: string) => `/device/list/detail/${encodeURIComponent(sn)}`
export const trafficPath = (sn: string) => `/device/traffic/${encodeURIComponent(sn)}`
export const fleetTrafficPath = '/device/traffic'
export const kioskPath = (sn: string) => `/device/kiosk/${encodeURIComponent(sn)}`
export const groupPath = (id: number) => `/device/groupDevice/${id}`
