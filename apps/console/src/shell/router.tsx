import { createBrowserRouter, type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { judge } from './navigation/guard.ts'
import { forgetNavigation, loadNavigation, useNavigationMenu } from './navigation/navigation.ts'
import { resolve } from './navigation/resolve.ts'
import { StartFailure } from './StartFailure.tsx'
import { askFirst, preloadScreen } from './screenComponent.ts'
import { allScreens, permissionOfDeclared } from './screens.ts'
import { readPendingLogin } from './session/pendingLogin.ts'
import { closeSession, currentSession } from './session/session.ts'
import { Toasts } from './Toasts.tsx'
import { restoreTabs } from './tabs/tabStore.ts'
import { loadShellTexts } from './texts.ts'

const find = (path: string) => resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes })

/** Runs before every page; throws the redirect the rules ask for (behaviour: console.guard). */
async function guard({ request }: LoaderFunctionArgs): Promise<null> {
  const path = new URL(request.url).pathname
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
    throw redirect(verdict.to)
  }
  if (verdict.kind === 'loadMenu') {
    await Promise.all([loadNavigation(), loadShellTexts()])
    restoreTabs((key) => find(key).kind === 'screen')
    return guard({ request } as LoaderFunctionArgs)
  }
  return null
}

const refused = (path: string, perm: string | undefined) =>
  `/401?${new URLSearchParams({ path, ...(perm !== undefined && { perm }) })}`

/** Inside the layout: also find the screen, and fetch its code while the progress bar runs. */
async function guardScreen(args: LoaderFunctionArgs): Promise<null> {
  await guard(args)
  const { pathname: path, search } = new URL(args.request.url)
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

/** Starts the first navigation at once, so it is made only when the texts are there. */
export const createRouter = () =>
  createBrowserRouter([
    {
      // Nothing to show yet but what has to be said: the session may have ended before the first page came.
      HydrateFallback: Toasts,
      ErrorBoundary: StartFailure,
      children: [
        { path: '/login', loader: guard, lazy: page(() => import('./signIn/SignInPage.tsx')) },
        { path: '/login/2fa', loader: guard, lazy: page(() => import('./signIn/TwoFactorPage.tsx')) },
        { path: '/privacy', loader: guard, lazy: page(() => import('./signIn/PrivacyPage.tsx')) },
        { path: '*', loader: guardScreen, lazy: page(() => import('./layout/Shell.tsx')) },
      ],
    },
  ])
