import type { Resource, Verb } from '@campanile/contract'

const lastWord: Readonly<Record<Verb, string>> = {
  list: 'list',
  create: 'create',
  update: 'update',
  remove: 'delete',
  export: 'export',
  import: 'import',
}

/** Declared, and in everybody's menu, but no line of the server serves it: says which line to write. */
export const refuseUnserved = (resources: readonly Resource[], routes: readonly { readonly url: string }[]) => {
  for (const { name, wire, perms } of resources) {
    const missing = (Object.keys(perms) as Verb[])
      .map((verb) => `${wire.path}/${lastWord[verb]}`)
      .filter((path) => !routes.some(({ url }) => url === path))
    if (missing.length > 0)
      throw new Error(
        `${name} is declared but not served (${missing.join(', ')}). ` +
          `Write \`mountPlain(kit, plainTable(${name}))\` in the index.ts of its room: docs/adding-a-resource.md`,
      )
  }
}
