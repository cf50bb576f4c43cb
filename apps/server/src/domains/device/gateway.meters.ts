import { Counter, Gauge, type Registry } from 'prom-client'
import type { Health } from '../../gateway/watchdog.ts'

/** Whether devices are served, for `/metrics`; nothing where another server does that. */
export const createGatewayMeters = (register: Registry, health: () => Health | undefined) => {
  if (!health()) return
  const registers = [register]
  new Gauge({
    name: 'campanile_gateway_up',
    help: '1 while the gateway answers its server and its port answers a device, 0 otherwise',
    registers,
    collect() {
      this.set(health()?.up ? 1 : 0)
    },
  })
  new Counter({
    name: 'campanile_gateway_restarts_total',
    help: 'Times the gateway was started again after it had ended or was ended because it did not answer',
    registers,
    collect() {
      this.reset()
      this.inc(health()?.restarts ?? 0)
    },
  })
  new Gauge({
    name: 'campanile_gateway_unknown_connections',
    help: 'Connections that have not proven which device they are',
    registers,
    collect() {
      this.set(health()?.unknown ?? 0)
    },
  })
}
