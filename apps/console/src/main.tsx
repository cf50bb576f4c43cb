import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { chooseLanguage, storedLanguage } from './shell/language.ts'
import { organisationHere } from './shell/organisations/address.ts'
import { onMove } from './shell/organisations/window.ts'
import { createRouter } from './shell/router.tsx'
import { loadRuntime } from './shell/runtime.ts'
import { currentSession } from './shell/session/session.ts'
import { startSettings } from './shell/settings/settings.ts'
import { startTexts } from './shell/texts.ts'
import './theme/tokens.css'
import './theme/accents.css'
import './theme/base.css'

async function start(root: HTMLElement): Promise<void> {
  startSettings()
  const runtime = loadRuntime()
  fetchFirstPage()
  await startTexts(storedLanguage() ?? chooseLanguage((await runtime).defaultLanguage))
  await runtime
  createRoot(root).render(<Pages />)
}

/** The pages of the organisation this window is at; drawn anew when it goes on at another. */
function Pages() {
  const [{ router, at }, setMade] = useState(() => ({ router: createRouter(), at: organisationHere() }))
  useEffect(() => {
    onMove(() => {
      router.dispose()
      setMade({ router: createRouter(), at: organisationHere() })
    })
    // Back to a page of another organisation: the window follows its address.
    const follow = () => organisationHere() !== at && window.location.reload()
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [router, at])
  return <RouterProvider key={at ?? 'own'} router={router} />
}

/** Its code travels while the installation is asked about itself; the router asks for the same module later. */
function fetchFirstPage(): void {
  const page =
    currentSession() === undefined ? import('./shell/signIn/SignInPage.tsx') : import('./shell/layout/Shell.tsx')
  // A failure shows where the page is really wanted.
  page.catch(() => undefined)
}

const root = document.getElementById('root')
if (root !== null) void start(root)
