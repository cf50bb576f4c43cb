import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { chooseLanguage, storedLanguage } from './shell/language.ts'
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
  createRoot(root).render(<RouterProvider router={createRouter()} />)
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
