import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { later } from '../later.tsx'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { pageHere } from '../organisations/address.ts'
import { allScreens } from '../screens.ts'
import { useSettings } from '../settings/settings.ts'
import { askToLeave, useLeaveQuestion } from './ask.ts'
import { forgetDirty, isDirty } from './unsaved.ts'

const LeaveQuestion = later(async () => (await import('./LeaveQuestion.tsx')).LeaveQuestion)

/** Asks before unsaved input is lost; input in a kept tab is not lost by looking at another. */
export function LeaveDialog() {
  const question = useLeaveQuestion((state) => state.question)
  useAskOnLeavingUnkept()
  return question && <LeaveQuestion question={question} onClose={() => question.answer(false)} />
}

/** A page that is not kept, or any page when tabs are off, loses its input by navigation. */
function useAskOnLeavingUnkept(): void {
  const tabsShown = useSettings((settings) => settings.tabs)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const from = currentLocation.pathname
    return from !== nextLocation.pathname && isDirty(from) && !(tabsShown && isKeptPath(from))
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const from = pageHere()
    void askToLeave([]).then((leave) => {
      if (!leave) return blocker.reset()
      forgetDirty(from)
      blocker.proceed()
    })
  }, [blocker])
}

function isKeptPath(path: string): boolean {
  const here = resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes })
  return here.kind !== 'screen' || here.screen.kept !== false
}
