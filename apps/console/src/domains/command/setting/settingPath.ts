export const settingPath = ({ id }: { id: number }) => `/device/settings/detail/${id}`
