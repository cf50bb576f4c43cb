import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { chooseLanguage } from './shell/language.ts'
import { createRouter } from './shell/router.tsx'
import { loadRuntime } from './shell/runtime.ts'
import { startSettings } from './shell/settings/settings.ts'
import { startTexts } from './shell/texts.ts'
import './theme/tokens.css'
import './theme/accents.css'
import './theme/base.css'

async function start(root: HTMLElement): Promise<void> {
  startSettings()
  const runtime = await loadRuntime()
  await startTexts(chooseLanguage(runtime.defaultLanguage))
  createRoot(root).render(<RouterProvider router={createRouter()} />)
}

const root = document.getElementById('root')
if (root !== null) void start(root)
