import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const serverEntry = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))

/** Of the built-in administrator of every installation here. */
export const adminPassword = 'Tower-2026!!'

const readyAddress = (server: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const address = output.match(/ready at (http:\/\/\S+)/)?.[1]
      if (address) resolve(address)
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })

/** The built server on a data folder, on ports of its own. */
export const startServer = async (dataDir: string, settings: Readonly<Record<string, string>>) => {
  const server = spawn(process.execPath, [serverEntry], {
    env: {
      ...process.env,
      CAMPANILE_DATA: dataDir,
      CAMPANILE_PORT: '0',
      CAMPANILE_MQTT_PORT: '0',
      CAMPANILE_CAPTCHA: 'off',
      CAMPANILE_ADMIN_PASSWORD: adminPassword,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await readyAddress(server)
  return {
    url,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    },
  }
}
