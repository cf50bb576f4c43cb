import { access } from './domains/access/index.ts'
import { activation } from './domains/activation/index.ts'
import { command } from './domains/command/index.ts'
import { device } from './domains/device/index.ts'
import { file } from './domains/file/index.ts'
import { home } from './domains/home/index.ts'
import { identity } from './domains/identity/index.ts'
import { licence } from './domains/licence/index.ts'
import { organisation } from './domains/organisation/index.ts'
import { system } from './domains/system/index.ts'

/** Every room, each after those it stands on. */
export const rooms = [identity, organisation, device, file, command, access, licence, activation, system, home] as const
