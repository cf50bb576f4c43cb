import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** The container's limit when there is one, else the machine's memory. */
const memory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high)

/**
 * How the embedded PostgreSQL runs. Memory is shared with our own process and the broker, hence a small share of the
 * machine; pages are touched only when used, so an idle server stays small whatever the limit.
 */
export function serverSettings(bytes: number = memory()): Record<string, string> {
  const share = (divisor: number, low: number, high: number) =>
    `${between(low, Math.floor(bytes / mebibyte / divisor), high)}MB`
  return {
    listen_addresses: '',
    // Relative to the cluster, so that no path is too long for a socket. Clients: see socket.ts.
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    synchronous_commit: 'on',
    max_connections: '40',
    shared_buffers: share(32, 32, 2048),
    effective_cache_size: share(2, 128, 65_536),
    maintenance_work_mem: share(64, 32, 512),
    work_mem: share(1024, 4, 32),
    max_wal_size: '1GB',
    wal_compression: 'on',
    random_page_cost: '1.1',
    jit: 'off',
    // One machine, no replicas: these would only add idle processes.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    max_wal_senders: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Events of the server itself. Errors of statements reach whoever sent them, and their details may be personal.
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
}
