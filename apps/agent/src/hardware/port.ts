import type { Readable } from 'node:stream'
import type { CommandArgs, CommandName } from '@campanile/contract'
import type { DeviceEvent, Hello, StateValues } from '@campanile/contract/protocol'
import type { UpdateContext } from '../update/context.ts'

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
/** How an update that an earlier run had begun has ended. */
export type UpdateEnd = { readonly result: Result } | { readonly error: string }

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
  /** Answers the values that hold now and those that held before. */
  applyTemplate(template: CommandArgs<'applyTemplate'>): Promise<Result>
  undoTemplate(templateId: number): Promise<Result>
  kiosk(profile: CommandArgs<'kioskOn'> | undefined): Promise<Result>
  software(): Promise<NonNullable<Hello['apps']>>
  setEnabled(app: string, enabled: boolean): Promise<Result>
  uninstall(app: string): Promise<Result>
  installApp(app: CommandArgs<'installApp'>, update: UpdateContext): Promise<Result>
  upgradeFirmware(firmware: CommandArgs<'upgradeFirmware'>, update: UpdateContext): Promise<Result>
  putFile(file: CommandArgs<'putFile'>, update: UpdateContext): Promise<Result>
  /** Fetches the picture before it is shown. */
  showPoster(poster: CommandArgs<'showPoster'>, update: UpdateContext): Promise<Result>
  /** At the start of a run: ends or takes back what the last one has left half done. */
  recoverUpdates(): Promise<void>
  /** What became of the update with this id; undefined when it never came to touch anything, and is simply done again. */
  updateEnded(id: string): Promise<UpdateEnd | undefined>
  custom(payload: Record<string, unknown>): Promise<Result>
  /** A command that only some machines know, by its name. */
  perform(name: CommandName, args: Record<string, unknown>): Promise<Result>
}
