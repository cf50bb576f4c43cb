import type { ComponentProps, MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useTabs } from '../tabs/tabStore.ts'

type MenuLinkProps = Omit<ComponentProps<'a'>, 'href'> & { path: string; current: boolean; onNavigate: () => void }

/** A real link, so that it opens in a new window too. */
export function MenuLink({ path, current, onNavigate, className = 'menu-entry', children, ...rest }: MenuLinkProps) {
  const open = useOpenEntry(onNavigate)
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    open(path)
  }
  return (
    <Link {...rest} to={path} className={className} aria-current={current ? 'page' : undefined} onClick={click}>
      {children}
    </Link>
  )
}

/** The entry in front starts clean; one that is open behind comes back as it was left. */
export function useOpenEntry(onNavigate: () => void): (path: string) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (path) => {
    const behind = useTabs.getState().tabs.find((tab) => tab.key === path && path !== pathname)
    navigate(path + (behind?.search ?? ''))
    onNavigate()
  }
}
