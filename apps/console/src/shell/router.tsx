import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  redirect,
  replace,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { judge } from './navigation/guard.ts'
import { forgetNavigation, loadNavigation, useNavigationMenu } from './navigation/navigation.ts'
import { resolve } from './navigation/resolve.ts'
import { baseOf, organisationHere, pageHere, pageIn } from './organisations/address.ts'
import { enterAddressed } from './organisations/window.ts'
import { StartFailure } from './StartFailure.tsx'
import { askFirst, preloadScreen } from './screenComponent.ts'
import { allScreens, permissionOfDeclared } from './screens.ts'
import { readPendingLogin } from './session/pendingLogin.ts'
import { closeSession, currentSession } from './session/session.ts'
import { Toasts } from './Toasts.tsx'
import { restoreTabs } from './tabs/tabStore.ts'
import { loadShellTexts } from './texts.ts'

const find = (path: string) => resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes })

/** Out of the organisation the address names; the window is loaded anew. */
const leaveFor = <T,>(page: string): Promise<T> => {
  window.location.replace(page)
  return new Promise(() => undefined)
}

const pageOf = ({ request }: Pick<LoaderFunctionArgs, 'request'>) => pageIn(new URL(request.url).pathname)

/** Runs before every page; throws the redirect the rules ask for (behaviour: console.guard). */
async function guard(args: LoaderFunctionArgs): Promise<null> {
  const path = pageOf(args)
  const session = currentSession()
  const verdict = judge({
    path,
    signedIn: session !== undefined,
    pendingLogin: readPendingLogin() !== undefined,
    menuLoaded: useNavigationMenu.getState().loaded,
    passwordExpired: session?.user.isExpired === true,
  })
  if (verdict.kind === 'redirect') throw replace(verdict.to)
  if (verdict.kind === 'signOut') {
    closeSession()
    forgetNavigation()
    if (organisationHere() !== undefined) return leaveFor(verdict.to)
    throw redirect(verdict.to)
  }
  if (verdict.kind === 'loadMenu') {
    const entered = await enterAddressed()
    if (entered === 'own') return leaveFor(pageHere() + window.location.search)
    if (entered === 'refused') return leaveFor(refused(pageHere(), undefined))
    await Promise.all([loadNavigation(), loadShellTexts()])
    restoreTabs((key) => find(key).kind === 'screen')
    return guard(args)
  }
  return null
}

const refused = (path: string, perm: string | undefined) =>
  `/401?${new URLSearchParams({ path, ...(perm !== undefined && { perm }) })}`

/** Inside the layout: also find the screen, and fetch its code while the progress bar runs. */
async function guardScreen(args: LoaderFunctionArgs): Promise<null> {
  await guard(args)
  const path = pageOf(args)
  const { search } = new URL(args.request.url)
  const found = find(path)
  if (found.kind === 'redirect') throw replace(found.to)
  if (found.kind === 'screen') {
    await preloadScreen(found.screen)
    askFirst(found.screen, search)
  } else if (found.kind === 'forbidden') throw replace(refused(path, found.screen.perm))
  else {
    const perm = await permissionOfDeclared(path)
    throw replace(perm === undefined ? `/404?path=${encodeURIComponent(path)}` : refused(path, perm))
  }
  return null
}

const page = (load: () => Promise<{ default: React.ComponentType }>) => async () => ({
  Component: (await load()).default,
})

/** Starts the first navigation at once, so it is made only when the texts are there. Of the organisation the window is at. */
export const createRouter = () => createBrowserRouter(routes, { basename: baseOf(organisationHere()) || '/' })

const routes = [
  {
    // Nothing to show yet but what has to be said: the session may have ended before the first page came.
    HydrateFallback: Toasts,
    ErrorBoundary: StartFailure,
    children: [
      { path: '/login', loader: guard, lazy: page(() => import('./signIn/SignInPage.tsx')) },
      { path: '/login/2fa', loader: guard, lazy: page(() => import('./signIn/TwoFactorPage.tsx')) },
      { path: '/privacy', loader: guard, lazy: page(() => import('./signIn/PrivacyPage.tsx')) },
      {
        path: '*',
        loader: guardScreen,
        // What a page is asked for within its address is no other page: nothing to guard, and nothing to wait for.
        shouldRevalidate: ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
          currentUrl.pathname !== nextUrl.pathname,
        lazy: page(() => import('./layout/Shell.tsx')),
      },
    ],
  },
]
