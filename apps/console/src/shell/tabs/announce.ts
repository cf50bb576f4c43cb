const regionId = 'announcements'

/** Tells screen readers where the navigation has arrived. The region stands in the shell's layout. */
export function announce(text: string): void {
  const region = document.getElementById(regionId)
  if (region !== null) region.textContent = text
}

export const announcerProps = {
  id: regionId,
  role: 'status',
  'aria-live': 'polite',
  className: 'visually-hidden',
} as const
