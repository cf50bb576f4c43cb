/** One command to 10,000 devices that are there: accepted, all reached, all answered; against inserting as many rows by hand. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { register, startFleet } from './fleet.ts'
import { figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const { values } = parseArgs({ options: { devices: { type: 'string', default: '10000' } } })
const devices = Number(values.devices)

const product = await startProduct()
const fleet = startFleet()
try {
  await register(product.owner, devices)
  await fleet.connect(product.mqttPort, devices, { listens: true })
  await sleep(2_000)
  const people = await product.signIn()
  const handBegan = performance.now()
  await product.owner.query(`begin;
    with task as (insert into device_task (command, department_id) select 'message', id from department where parent_id is null returning id)
    insert into command (task_id, device_id, sn, department_id, command, expires)
      select task.id, d.id, d.sn, d.department_id, 'message', now() from device d, task;
    rollback`)
  const byHand = performance.now() - handBegan

  const began = performance.now()
  const { id } = await people.call<{ id: number }>('POST', '/api/v3/device/task/create', {
    body: { command: 'message', args: { title: 'Bench', text: 'hello' }, filter: {} },
  })
  const accepted = performance.now() - began
  const until = async (count: () => Promise<number>) => {
    while ((await count()) < devices && performance.now() - began < 120_000) await sleep(50)
    return (performance.now() - began) / 1000
  }
  const reached = await until(async () => (await fleet.stand()).commands)
  const done = async () =>
    Number((await product.owner.query('select succeeded from device_task where id = $1', [id])).rows[0]?.succeeded)
  const answered = await until(done)
  const { commands, repeated } = await fleet.stand()
  console.log(`${machine()}\n`)
  console.log(
    '| accepted, ms | rows by hand, ms | ratio | reached | after, s | answered after, s | given twice |\n|---|---|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(accepted, 0)} | ${figure(byHand, 0)} | ${figure(accepted / byHand, 2)} | ${commands} | ${figure(reached)} | ${figure(answered)} | ${repeated} |`,
  )
  await fleet.end()
} finally {
  await product.stop()
}
