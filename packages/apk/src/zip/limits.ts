const MiB = 1024 * 1024

export interface ZipLimits {
  readonly entries: number
  /** Bytes of the directory, which is read as a whole. */
  readonly directory: number
  /** Folders in one another. */
  readonly levels: number
  /** Bytes that are inflated of one archive, counted while they come. */
  readonly inflated: number
  /** How many bytes one byte may become … */
  readonly ratio: number
  /** … once an entry has given this many: a small file of blanks is harmless. */
  readonly ratioFrom: number
}

export const zipLimits: ZipLimits = {
  entries: 10_000,
  directory: 8 * MiB,
  levels: 100,
  inflated: 512 * MiB,
  ratio: 100,
  ratioFrom: MiB,
}
