import { viewKind } from '@campanile/contract/search'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { departmentQuery } from '../../kit/inputs/departmentNodes.ts'
import { createReader, useCodeTables } from '../../kit/reader.ts'
import { showError } from '../feedback.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { useSwitchOrganisation } from '../organisations/useSwitchOrganisation.ts'
import { isPermitted } from '../permissions.ts'
import { queryClient } from '../queryClient.ts'
import { type Group, groupOf, listOption, meantGroup, optionOf, viewGroup } from './groups.tsx'
import { type Known, loadKinds, type Tools } from './kinds.ts'
import { type Entry, type EntryKind, matchEntries, readTyped, type Sound, verbsTyped } from './match.ts'
import { useEntries } from './useEntries.ts'
import { useFound } from './useFound.ts'

/** Of what is known here; the server says by itself how many it shows. */
const mostOf: Record<EntryKind, number> = { recent: 3, screen: 6, setting: 4, command: 6, help: 3 }
/** While nothing is typed only these are shown: where one was, and what can be done. */
const atFirst: readonly EntryKind[] = ['recent', 'command', 'screen']
const typedOrder: readonly EntryKind[] = ['screen', 'command', 'setting', 'help']

/** What the palette shows for what is typed: rows first, then what is known here. */
export function useGroups(query: string) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { routes, permissions } = useNavigationMenu()
  const entries = useEntries()
  const known = useKnown()
  const sound = useSound()
  const tables = useCodeTables()
  const enter = useEnter()
  const tools = useMemo(
    (): Tools => ({ t, navigate, permitted: (perm) => isPermitted(permissions, perm), enter }),
    [t, navigate, permissions, enter],
  )
  // i18n keeps its identity when its language changes, so the language is asked beside it.
  const readers = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(known?.kinds ?? {}).map(([name, { resource }]) => [name, createReader(resource, i18n, tables)]),
      ),
    [known, i18n, i18n.language, tables],
  )

  const typed = readTyped(query)
  const verbs = useMemo(
    () =>
      Object.entries(known?.kinds ?? {}).flatMap(([kind, { verbs: of }]) =>
        (of?.(tools) ?? []).map((verb) => ({ ...verb, kind })),
      ),
    [known, tools],
  )
  const spoken = verbsTyped(verbs, typed.text)
  const wanted = spoken?.rest ?? (typed.actionsOnly ? '' : typed.text)
  const found = useFound(wanted)

  const groups = useMemo((): Group[] => {
    const here = [...entries, ...(known?.entriesOf(tools) ?? [])]
    const local = (kind: EntryKind, most: number): Group => ({
      id: kind,
      title: t(`palette.kind.${kind}`),
      options: matchEntries(
        here.filter((entry: Entry) => entry.kind === kind),
        typed.text,
        sound,
      )
        .slice(0, most)
        .map(optionOf),
    })
    if (typed.actionsOnly) return [local('command', Number.POSITIVE_INFINITY)]
    if (typed.text === '') return atFirst.map((kind) => local(kind, Number.POSITIVE_INFINITY))
    const kinds = known === undefined ? [] : (found.answer?.kinds ?? [])
    const finding = {
      tools,
      routes,
      kinds: known?.kinds ?? {},
      readers,
      wanted: found.answer?.wanted ?? wanted,
      text: (key: string, values?: Record<string, unknown>) => t(key, values ?? {}),
    }
    const meant = spoken && new Set(spoken.verbs.map(({ kind }) => kind))
    const rows = kinds.flatMap((kind) => {
      if (kind.kind === viewKind) return viewGroup(kind, finding)
      if (!meant) return groupOf(kind, finding) ?? []
      const own = spoken?.verbs.filter((verb) => verb.kind === kind.kind) ?? []
      return own.length === 0 ? [] : (meantGroup(kind, { ...finding, meant: own }) ?? [])
    })
    const lists = spoken ? [] : kinds.flatMap((kind) => listOption(kind, finding) ?? [])
    const [screens, ...others] = typedOrder.map((kind) => local(kind, mostOf[kind]))
    return [
      local('recent', mostOf.recent),
      ...rows,
      ...(screens ? [{ ...screens, options: [...lists, ...screens.options] }] : []),
      ...others,
    ]
  }, [entries, known, tools, t, typed.text, typed.actionsOnly, sound, found.answer, routes, readers, wanted, spoken])

  return { groups: groups.filter(({ options }) => options.length > 0), found, wanted, ready: known !== undefined }
}

/** The switcher wants more of an organisation than its number. */
function useEnter(): Tools['enter'] {
  const { operateOn } = useSwitchOrganisation()
  const latest = useRef(operateOn)
  latest.current = operateOn
  return useCallback(async (departmentId) => {
    try {
      const [node] = await queryClient.fetchQuery(departmentQuery({ ids: [departmentId] }))
      if (node) await latest.current(node)
    } catch (error) {
      showError(error)
    }
  }, [])
}

/** What the rooms declare; until it is here, screens and actions are found alone. */
function useKnown(): Known | undefined {
  const [known, setKnown] = useState<Known>()
  // Without it, what is known here is still found; opening again tries again.
  useEffect(() => void loadKinds().then(setKnown, () => undefined), [])
  return known
}

/** Readings of Chinese titles; until they are loaded, titles are found by their characters only. */
function useSound(): Sound | undefined {
  const [sound, setSound] = useState<{ of: Sound }>()
  useEffect(() => void import('./sound.ts').then(({ soundOf }) => setSound({ of: soundOf })), [])
  return sound?.of
}
