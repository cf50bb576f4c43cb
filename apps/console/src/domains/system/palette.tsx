import { configGroups } from '@campanile/contract/system'
import type { Tools } from '../../shell/palette/kinds.ts'
import type { Entry } from '../../shell/palette/match.ts'

export const standsOn = ['config']

const page = '/system/config'
const patienceMs = 5_000

/** The page may still be on its way: its input is gone to as soon as it is there. */
const goTo = (id: string, since = performance.now()): void => {
  const input = document.getElementById(id)
  if (input) {
    input.focus({ preventScroll: true })
    input.scrollIntoView({ block: 'center' })
  } else if (performance.now() - since < patienceMs) setTimeout(() => goTo(id, since), 50)
}

/** Every setting of the installation, for whoever may see them. */
export const entries = ({ t, navigate, permitted }: Tools): Entry[] =>
  permitted('system:config:list')
    ? Object.entries(configGroups).flatMap(([group, names]) =>
        names.map((name): Entry => {
          const title = t(`config.field.${name}`)
          return {
            id: `config ${name}`,
            kind: 'setting',
            title,
            hint: `${t('config.title')} › ${t(`config.group.${group}`)}`,
            words: [title],
            run: () => {
              void navigate(page)
              goTo(`setting-${name}`)
            },
          }
        }),
      )
    : []
