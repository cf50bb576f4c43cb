import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { agentCommand, mosquittoCommand, shellWord } from './joinCommands.ts'

const heard = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8' })

/** Two half minutes of it, with an answer of its own and nobody to speak to. */
const inAShell = (answer: string) => `
  curl() { printf '%s' '${answer}'; }
  mosquitto_pub() { printf '%s\\n' "$@"; head -n 2; }
  sleep() { [ -z "$slept" ] || exit 0; slept=1; }
  ${mosquittoCommand('http://fleet.example', { sn: 'T2', activationCode: "K'7" })}`

describe('commands to copy', () => {
  it.each(['plain-1', "it's", '$(id)', '`id`', '"quoted"', 'a b;c', '\\', '!'])('hand %s on as it is', (word) => {
    expect(heard(`printf %s ${shellWord(word)}`)).toBe(word)
  })

  it('join with the agent', () => {
    expect(agentCommand('https://fleet.example', { sn: 'T2-0001', activationCode: 'K7M2' })).toBe(
      [
        'curl -fsSo campanile-agent.mjs https://fleet.example/device/v1/agent.mjs',
        'node campanile-agent.mjs join https://fleet.example --sn T2-0001 --code K7M2',
        'node campanile-agent.mjs install',
      ].join('\n'),
    )
  })

  it('read password and address out of the answer, then speak to the broker on one connection that stays', () => {
    const answer =
      '{"code":100000,"data":{"username":"T2","password":"pa_ss-1","mqttUrl":"mqtt://fleet.example:1883","serverTime":"x"}}'
    const said = heard(inAShell(answer)).split('\n')
    expect(said.slice(0, 12)).toEqual([
      ...['-h', 'fleet.example', '-p', '1883', '-i', 'T2', '-u', 'T2', '-P', 'pa_ss-1', '-q', '1'],
    ])
    expect(said[14]).toBe('-l')
    const lines = said.slice(15, 17).map((line) => JSON.parse(line))
    expect(lines).toEqual(Array(2).fill({ ts: expect.any(Number), battery: 80 }))
  })

  it('say why a code was refused, and connect nothing', () => {
    const answer = '{"code":204032,"message":"The code has been used."}'
    expect(heard(inAShell(answer))).not.toContain('battery')
    expect(heard(inAShell(answer))).toContain(answer)
  })
})
