import { agentProgram } from '@campanile/contract/activation'

/** One word for a POSIX shell, whatever it holds. */
export const shellWord = (text: string): string =>
  /^[\w.:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

interface Code {
  sn: string
  activationCode: string
}

/** With our agent, which the server gives: joins and stays. */
export const agentCommand = (origin: string, { sn, activationCode }: Code): string =>
  [
    `curl -fsSo campanile-agent.mjs ${shellWord(`${origin}${agentProgram.path}`)}`,
    `node campanile-agent.mjs join ${shellWord(origin)} --sn ${shellWord(sn)} --code ${shellWord(activationCode)}`,
    'node campanile-agent.mjs install',
  ].join('\n')

/**
 * With curl and mosquitto: exchanges the code once, then says every half minute what the battery holds, on one connection that
 * stays. A code that is refused is answered with the reason, and nothing is connected.
 */
export const mosquittoCommand = (origin: string, { sn, activationCode }: Code): string =>
  [
    `answer=$(curl -s ${shellWord(`${origin}/device/v1/activate`)} -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify({ sn, code: activationCode }))})`,
    `password=$(printf '%s' "$answer" | sed -n 's/.*"password":"\\([^"]*\\)".*/\\1/p')`,
    `broker=$(printf '%s' "$answer" | sed -n 's#.*"mqttUrl":"mqtts*://\\([^"]*\\)".*#\\1#p')`,
    `[ -n "$password" ] || printf '%s\\n' "$answer"`,
    `while [ -n "$password" ]; do echo "{\\"ts\\":$(date +%s)000,\\"battery\\":80}"; sleep 30; done |`,
    `  mosquitto_pub -h "\${broker%:*}" -p "\${broker##*:}" -i ${shellWord(sn)} -u ${shellWord(sn)} -P "$password" \\`,
    `  -q 1 -t ${shellWord(`v1/${sn}/up/state`)} -l`,
  ].join('\n')
