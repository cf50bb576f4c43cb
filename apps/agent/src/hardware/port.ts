import type { Readable } from 'node:stream'
import type { CommandArgs, CommandName } from '@campanile/contract'
import type { DeviceEvent, Hello, StateValues } from '@campanile/contract/protocol'

/** A file a device made: a screenshot, an archive of logs. */
export interface Artefact {
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  open(): Readable
  /** Removes what was written for it. */
  discard(): Promise<void>
}

export type Result = Record<string, unknown>

/**
 * The machine below the agent. A verb that rejects has failed, and its message is the reason a person reads; nothing here
 * may report success for what it did not do.
 */
export interface Hardware {
  /** Changes when the machine starts anew. */
  boot(): string
  describe(): Promise<Hello>
  /** Everything that can be read now, and what has happened since it was last asked. */
  measure(): Promise<{ values: StateValues; events?: readonly DeviceEvent[] }>
  /** Why this machine cannot do a command; undefined when it can. */
  obstacle(name: CommandName): Promise<string | undefined>

  restartApp(app: string | undefined): Promise<Result>
  /** The agent ends with the machine: this settles only when it does not go down. */
  reboot(): Promise<void>
  schedulePower(plan: CommandArgs<'powerSchedule'>): Promise<Result>
  collectLog(log: CommandArgs<'uploadLog'>): Promise<Artefact>
  capture(): Promise<Artefact>
  show(message: CommandArgs<'message'>): Promise<Result>
  lock(locked: boolean): Promise<Result>
  setScreenLock(pin: string): Promise<Result>
  setPassword(password: string): Promise<Result>
  allowOnly(packages: readonly string[]): Promise<Result>
  wipe(): Promise<Result>
  configure(settings: CommandArgs<'configure'>): Promise<Result>
  kiosk(profile: CommandArgs<'kioskOn'> | undefined): Promise<Result>
  software(): Promise<NonNullable<Hello['apps']>>
  setEnabled(app: string, enabled: boolean): Promise<Result>
  uninstall(app: string): Promise<Result>
  custom(payload: Record<string, unknown>): Promise<Result>
  /** A command that only some machines know, by its name. */
  perform(name: CommandName, args: Record<string, unknown>): Promise<Result>
}
