import type { KindView, Tools } from '../../shell/palette/kinds.ts'

const organisation: KindView = {
  icon: 'organisation',
  verbs: ({ t, enter }: Tools) => [
    { id: 'enter', letter: 'E', label: t('organisation.action.operate'), words: ['enter'], run: ({ id }) => enter(id) },
  ],
}

export const kinds: Readonly<Record<string, KindView>> = { organisation }
