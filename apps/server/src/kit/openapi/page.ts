import type { Json } from './schema.ts'

const special: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const safe = (value: unknown) => String(value ?? '').replace(/[&<>"']/g, (found) => special[found] ?? found)

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  'x-permission': string
  'x-scope': string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Json
}

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#1b2430;background:#fff}main{max-width:60rem;margin:0 auto;padding:1.5rem}
h1{margin:0 0 .25rem}h2{margin:2rem 0 .5rem;border-bottom:1px solid #d6dce4}nav a{margin-right:.75rem;white-space:nowrap}
a{color:#1459c7}details{border:1px solid #d6dce4;border-radius:6px;margin:.4rem 0;background:#fff}summary{padding:.4rem .75rem;cursor:pointer}
summary b{display:inline-block;min-width:4.2rem;font:600 12px ui-monospace,monospace}code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:#f4f6f9;padding:.75rem;overflow:auto;border-radius:6px}.in{padding:0 .75rem .75rem}table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .75rem .15rem 0;vertical-align:top}
.soft{color:#5a6675}@media (prefers-color-scheme:dark){body{background:#12171e;color:#dfe5ec}details{background:#171e27;border-color:#2b3542}h2{border-color:#2b3542}pre{background:#0d1218}a{color:#7fb0ff}.soft{color:#97a3b2}}`

const shown = (schema: Json, document: Json): unknown => {
  const target = typeof schema.$ref === 'string' ? schema.$ref.split('/').slice(1) : undefined
  if (!target) return schema
  return target.reduce<unknown>((at, step) => (at as Json)[step], document)
}

const parameters = ({ parameters = [] }: Operation) =>
  parameters.length === 0
    ? ''
    : `<table><tr><th>Parameter</th><th>In</th><th>What</th></tr>${parameters
        .map(
          ({ name, in: where, required, description, schema }) =>
            `<tr><td><code>${safe(name)}</code>${required ? ' *' : ''}</td><td>${safe(where)}</td><td>${description ? `${safe(description)}<br>` : ''}<code>${safe(JSON.stringify(schema))}</code></td></tr>`,
        )
        .join('')}</table>`

const body = ({ requestBody }: Operation, document: Json) =>
  Object.entries(requestBody?.content ?? {})
    .map(
      ([type, { schema }]) =>
        `<p>Body, <code>${safe(type)}</code></p><pre>${safe(JSON.stringify(shown(schema, document), null, 2))}</pre>`,
    )
    .join('')

const operationHtml = (method: string, path: string, operation: Operation, document: Json) =>
  `<details id="${safe(operation.operationId)}"><summary><b>${safe(method.toUpperCase())}</b> <code>${safe(path)}</code> <span class="soft">${safe(operation.summary)}</span></summary><div class="in"><p class="soft">Permission <code>${safe(operation['x-permission'])}</code>, rows <code>${safe(operation['x-scope'])}</code></p>${parameters(operation)}${body(operation, document)}<p>Answers</p><pre>${safe(JSON.stringify(operation.responses, null, 2))}</pre></div></details>`

const codeTable = (codes: Record<string, { status: number; text: string }>) =>
  `<h2 id="codes">codes</h2><table><tr><th>Code</th><th>HTTP</th><th>What it says</th></tr>${Object.entries(codes)
    .map(([code, { status, text }]) => `<tr><td><code>${code}</code></td><td>${status}</td><td>${safe(text)}</td></tr>`)
    .join('')}</table>`

/** The document for people: one page, no script, nothing from elsewhere. */
export const apiPage = (document: Json): string => {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? ''
      groups.set(tag, [...(groups.get(tag) ?? []), operationHtml(method, path, operation, document)])
    }
  const info = document.info as Record<string, string>
  const links = [...groups.keys()].map((tag) => `<a href="#${safe(tag)}">${safe(tag)}</a>`).join(' ')
  const sections = [...groups].map(([tag, items]) => `<h2 id="${safe(tag)}">${safe(tag)}</h2>${items.join('')}`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${safe(info.title)} API</title><style>${style}</style></head><body><main><h1>${safe(info.title)} API</h1><p class="soft">Version ${safe(info.version)} · <a href="/openapi.json">openapi.json</a></p><p>${safe(info.description)}</p><nav>${links} <a href="#codes">codes</a></nav>${sections.join('')}${codeTable(document['x-codes'] as Parameters<typeof codeTable>[0])}</main></body></html>`
}
