import type { ErrorSpec } from '../kit/errors.ts'
import type { Fields } from '../kit/index.ts'
import type { InstallMode, ReleaseMode, ReleaseOptions } from './release.options.ts'

/** What a kind of item brings to its releases. Each stands with its room's declarations and is named in `release.kinds.ts`. */
export interface ReleaseKindSpec {
  /** What can be done with an item on a device; the first is meant unless another is said. Named by `release.option.action.<word>`. */
  readonly actions: readonly [string, ...string[]]
  /** What undoes an action, where something can. */
  readonly undone?: Readonly<Record<string, string>>
  readonly modes: readonly [ReleaseMode, ...ReleaseMode[]]
  /** None: nothing is installed, and nobody is asked. */
  readonly installModes: readonly InstallMode[]
  /** What an order says of this kind alone, as `given`. Named by `releaseGiven.field.<name>`. */
  readonly fields?: Fields
  /** Options that mean something to this kind beside waves, thresholds and times. */
  readonly conditions: readonly ('minBattery' | 'wifiOnly' | 'bytesPerSecond' | 'rollBack')[]
  readonly perms: {
    readonly release: string
    readonly list: string
    readonly cancel: string
    readonly retry: string
  }
  readonly errors: {
    readonly notFound: ErrorSpec
    readonly tooMany: ErrorSpec
    readonly noneSelected: ErrorSpec
    readonly timeRequired: ErrorSpec
    readonly timePassed: ErrorSpec
    /** Names the device as `sn`. */
    readonly deviceRunning: ErrorSpec
    /** Names the department as `departmentId`. */
    readonly departmentRunning: ErrorSpec
    readonly notCancellable: ErrorSpec
    readonly notRetryable: ErrorSpec
    /** Where one release may not go to devices of several organisations. */
    readonly severalOrganisations?: ErrorSpec
  }
  /** What holds where a release says nothing. */
  readonly defaults: ReleaseOptions
}
