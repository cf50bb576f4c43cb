import { Activity, memo, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, Route, Routes, useLocation } from 'react-router'
import { Questions } from '../dialogs.tsx'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { type Resolution, resolve } from '../navigation/resolve.ts'
import { NotAvailable } from '../pages/NotAvailable.tsx'
import { PageSkeleton } from '../pages/PageSkeleton.tsx'
import { ScreenBoundary } from '../pages/ScreenBoundary.tsx'
import { rememberRecent } from '../palette/recentPlaces.ts'
import { globalTitle } from '../runtime.ts'
import { screenComponent } from '../screenComponent.ts'
import { allScreens, type Screen } from '../screens.ts'
import { useSettings } from '../settings/settings.ts'
import { announce } from './announce.ts'
import { Layered } from './Layered.tsx'
import { OverTab } from './overTab.tsx'
import { setPlace } from './place.ts'
import { TabContext } from './TabContext.ts'
import { homeKey, type Tab, visit } from './tabState.ts'
import { changeTabs, useTabs } from './tabStore.ts'
import { isDirty } from './unsaved.ts'
import { useTabTitle } from './useTabTitle.ts'

/** Renders the page of the address and keeps the pages of the other tabs alive behind it. */
export function TabHost() {
  const location = useLocation()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const tabsShown = useSettings((settings) => settings.tabs)
  const { tabs } = useTabs()
  const key = location.pathname
  const here = useMemo(() => resolve(key, { screens: allScreens, routes }), [key, routes])
  const hasTab = here.kind === 'screen' && isPlace(here.screen)

  // Before paint, so that the new tab is there in the same frame as its address.
  useLayoutEffect(() => {
    if (hasTab) changeTabs((state) => visit(state, key, location.search, isDirty))
  }, [hasTab, key, location.search])

  const title = useTitle(key, location.search)
  useEffect(() => {
    if (hasTab && key !== homeKey) rememberRecent({ path: key, title })
  }, [hasTab, key, title])

  return (
    <>
      {!hasTab && (
        <Layered active>
          <TabContent tabKey={key} resolution={here} location={location} />
        </Layered>
      )}
      {tabs.map((tab) => (
        <KeptTab
          key={`${tab.key}#${tab.generation}`}
          tab={tab}
          front={tab.key === key ? location : undefined}
          keep={tabsShown}
        />
      ))}
    </>
  )
}

type KeptTabProps = { tab: Tab; front: Location | undefined; keep: boolean }

/** `front` is the real address when the tab is in front; behind, it keeps the address it had. */
const KeptTab = memo(function KeptTab({ tab, front, keep }: KeptTabProps) {
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const resolution = useMemo(() => resolve(tab.key, { screens: allScreens, routes }), [tab.key, routes])
  const behind = useMemo(() => placeOf(tab.key, tab.search), [tab.key, tab.search])
  const active = front !== undefined
  const scroller = useScrollMemory(active)
  if (!active && !(tab.alive && keep && isKept(resolution))) return null
  // The scroller stands outside the activity: what is inside a hidden one is updated only when there is time.
  return (
    <Layered active={active} scroller={scroller}>
      <Activity mode={active ? 'visible' : 'hidden'}>
        <TabContent tabKey={tab.key} resolution={resolution} location={front ?? behind} />
      </Activity>
    </Layered>
  )
})

const isPlace = (screen: Screen) => screen.tab !== false && screen.layout !== 'blank'

const isKept = (resolution: Resolution) => resolution.kind !== 'screen' || resolution.screen.kept !== false

const placeOf = (pathname: string, search: string): Location => ({
  pathname,
  search,
  hash: '',
  state: null,
  key: pathname,
})

/** The page title is the route's title followed by the installation's (behaviour: console.page-title). */
function useTitle(key: string, search: string): string {
  const titleOf = useTabTitle()
  const { i18n } = useTranslation()
  const tab = useTabs((state) => state.tabs.find((each) => each.key === key))
  const title = titleOf(tab ?? { key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the installation's title changes with the language
  useEffect(() => {
    document.title = `${title} - ${globalTitle()}`
    setPlace({ path: key + search, title })
  }, [key, search, title, i18n.language])
  useEffect(() => announce(title), [title])
  return title
}

type ContentProps = { tabKey: string; resolution: Resolution; location: Location }

/** A page with its own address, so that one in the background never reads the address of the one in front. */
function TabContent({ tabKey, resolution, location }: ContentProps) {
  const tab = useMemo(() => ({ key: tabKey }), [tabKey])
  return (
    <TabContext value={tab}>
      <ScreenBoundary>
        <Suspense fallback={<PageSkeleton />}>
          <Routes location={location}>
            <Route path={pathOf(resolution)} element={<ScreenOf resolution={resolution} />} />
          </Routes>
        </Suspense>
        <OverTab tabKey={tabKey} />
      </ScreenBoundary>
      <Questions place={tabKey} />
    </TabContext>
  )
}

const pathOf = (resolution: Resolution) => (resolution.kind === 'screen' ? resolution.screen.path : '*')

function ScreenOf({ resolution }: { resolution: Resolution }) {
  if (resolution.kind !== 'screen') return <NotAvailable />
  const Screen = screenComponent(resolution.screen)
  return <Screen />
}

/** Browsers forget the scroll position of what they hide. */
function useScrollMemory(active: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const top = useRef(0)
  useLayoutEffect(() => {
    const scroller = ref.current
    if (scroller === null || !active) return
    // A pane that is new stands at its top; telling it so would have the whole page laid out at once.
    if (top.current > 0) scroller.scrollTop = top.current
    const remember = () => {
      top.current = scroller.scrollTop
    }
    scroller.addEventListener('scroll', remember, { passive: true })
    return () => scroller.removeEventListener('scroll', remember)
  }, [active])
  return ref
}
