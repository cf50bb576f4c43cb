import { access } from './domains/access/index.ts'
import { activation } from './domains/activation/index.ts'
import { command } from './domains/command/index.ts'
import { device } from './domains/device/index.ts'
import { file } from './domains/file/index.ts'
import { firmware } from './domains/firmware/index.ts'
import { home } from './domains/home/index.ts'
import { identity } from './domains/identity/index.ts'
import { licence } from './domains/licence/index.ts'
import { organisation } from './domains/organisation/index.ts'
import { packageRoom } from './domains/package/index.ts'
import { poster } from './domains/poster/index.ts'
import { release } from './domains/release/index.ts'
import { resource } from './domains/resource/index.ts'
import { search } from './domains/search/index.ts'
import { system } from './domains/system/index.ts'
import { template } from './domains/template/index.ts'

/** Every room, each after those it stands on. */
export const rooms = [
  organisation,
  identity,
  system,
  device,
  file,
  command,
  access,
  licence,
  activation,
  release,
  resource,
  poster,
  packageRoom,
  firmware,
  template,
  home,
  search,
] as const

/** Tables of no room: the platform writes them, and rooms ask for them by its functions. */
export const platformTables = [
  'import_row',
  'import_run',
  'job',
  'job_recurrence',
  'notification',
  'op_log',
  'op_log_head',
  'op_log_pending',
  'op_log_strand',
  'op_log_tally',
  'outbox',
  'outbox_follower',
  'outbox_head',
  'outbox_waiting',
  'rate_limit',
  'record_span',
  'record_table',
  'schema_migration',
  'stored_file',
  'system_config',
] as const

/** Tables of rooms that the kit joins by itself: where a row stands, and who wrote it. */
export const kitReads = ['department', 'department_below', 'sys_user'] as const
