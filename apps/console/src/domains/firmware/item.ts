interface FirmwareRow {
  readonly id: number
  readonly model: string
  readonly firmwareVersion: string
}

/** People know a package by its model and version; the name of its file says more than they read. */
export const itemOf = ({ id, model, firmwareVersion }: FirmwareRow) => ({ id, name: model, version: firmwareVersion })
