import type { ReactNode } from 'react'

/** Thin-line drawings on a 24-pixel grid. Menu entries name one of them; see MenuIcon. */
const drawings = {
  home: <path d="M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />,
  device: <path d="M6 5h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM9 20h6M12 16v4" />,
  location: <path d="M12 21s-7-6-7-11a7 7 0 0 1 14 0c0 5-7 11-7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z" />,
  alert: <path d="M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4" />,
  package: <path d="m12 3 8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9" />,
  analytics: <path d="M4 4v16h16M8 16v-5M12 16V8M16 16v-3M20 16V6" />,
  key: <path d="M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l8-8M16 7l3 3" />,
  organisation: <path d="M9.5 3h5v4h-5zM3 16h5v4H3zM16 16h5v4h-5zM12 7v5M5.5 16v-4h13v4" />,
  school: <path d="m2 10 10-5 10 5-10 5zM6 12v5c3 2.5 9 2.5 12 0v-5" />,
  system: (
    <path d="M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1" />
  ),
  user: <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6" />,
  users: (
    <path d="M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19c.7-3.5 3.2-5 6.5-5s5.8 1.5 6.5 5M16 5.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .6 3.2 2 3.6 4.5" />
  ),
  role: <path d="m12 3 7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4" />,
  menu: <path d="M4 6h16M4 12h16M4 18h10" />,
  log: <path d="M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h5" />,
  config: (
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z" />
  ),
  file: <path d="M3 6a1 1 0 0 1 1-1h5l2 2.5h9a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z" />,
  dictionary: <path d="M5 4h6a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-4a2 2 0 0 0-2 2M19 4v14h-4a2 2 0 0 0-2 2" />,
  announcement: <path d="M4 10v4h3l9 5V5l-9 5zM19 9.5a4 4 0 0 1 0 5M7 14l1.5 5H11l-1-4" />,
  terminal: <path d="M4 5h16v14H4zM7.5 9l3 3-3 3M13 15h4" />,
  task: <path d="M5 4h14v16H5zM8.5 12l2.5 2.5 4.5-5" />,
  template: <path d="M4 4h16v16H4zM4 9h16M10 9v11" />,
  picture: <path d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.1" />,
  code: <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 19v1" />,
  phone: <path d="M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z" />,
  clock: <path d="M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4l3 2" />,
  water: <path d="M3 9c2-2 4-2 6 0s4 2 6 0 4-2 6 0M3 15c2-2 4-2 6 0s4 2 6 0 4-2 6 0" />,
  health: <path d="M12 20s-8-5-8-10.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.5C20 15 12 20 12 20z" />,
  robot: <path d="M6 9h12v10H6zM12 9V5M9.5 13.5h.1M14.5 13.5h.1M10 16.5h4M3 13v3M21 13v3M12 5h.1" />,
  sport: <path d="M4 9v6M7 7v10M17 7v10M20 9v6M7 12h10" />,
  monitor: <path d="M3 12h4l2-6 4 12 2.5-6H21" />,
  licence: <path d="M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM9 13.5 8 21l4-2 4 2-1-7.5" />,
  wallet: <path d="M4 6h14v3M4 6v12h16V9H5a1 1 0 0 1-1-1zM16 13.5h.1" />,
  dot: <path d="M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />,
  search: <path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4" />,
  globe: <path d="M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16" />,
  expand: <path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5" />,
  shrink: <path d="M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5" />,
  down: <path d="m6 9 6 6 6-6" />,
  right: <path d="m9 6 6 6-6 6" />,
  collapse: <path d="M4 5h16v14H4zM9.5 5v14M16 10l-2 2 2 2" />,
  refresh: <path d="M19 8a8 8 0 1 0 1 5M20 4v5h-5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  pin: <path d="m9 4 6 0-1 6 3 3H7l3-3zM12 13v7" />,
  more: <path d="M5 12h.1M12 12h.1M19 12h.1" />,
  check: <path d="m5 12 5 5 9-10" />,
  signOut: <path d="M14 4H5v16h9M10 12h10M17 9l3 3-3 3" />,
  back: <path d="M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6" />,
  star: <path d="m12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z" />,
  keyboard: <path d="M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M18 10h.1M7 14h10" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof drawings

const isIconName = (name: string): name is IconName => name in drawings

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  )
}

/** Controls of the shell itself; as a menu entry they would promise the wrong thing. */
const controls = new Set<IconName>([
  'dot',
  'search',
  'expand',
  'shrink',
  'down',
  'right',
  'collapse',
  'refresh',
  'close',
  'pin',
  'more',
  'check',
  'signOut',
  'back',
  'star',
  'keyboard',
])

/** What an administrator may choose for a menu entry. */
export const menuIconNames: readonly string[] = (Object.keys(drawings) as IconName[]).filter(
  (name) => !controls.has(name),
)

/** The icon a menu entry names; one we have no drawing for is a dot. */
export const MenuIcon = ({ name, size = 16 }: { name: string; size?: number }) => (
  <Icon name={isIconName(name) ? name : 'dot'} size={size} />
)
