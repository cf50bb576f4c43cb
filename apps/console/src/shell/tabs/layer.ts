const openOnes = '.ant-drawer-open, .ant-modal-wrap:not([style*="display: none"])'

const dialogsIn = (layer: ParentNode) => [...layer.querySelectorAll<HTMLElement>(openOnes)]

/** Whether anything stands over the page in front, or over everything: Esc belongs to that. */
export const isLayerOpen = (): boolean => dialogsIn(document).some((dialog) => dialog.closest('[hidden]') === null)

const fields =
  'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), select:not(:disabled), [contenteditable=true]'
const body = '.ant-drawer-body, .ant-modal-body'

const firstField = (dialog: HTMLElement) => dialog.querySelector(body)?.querySelector<HTMLElement>(fields)

/**
 * What every dialog over a page has in common: the page behind takes no keys, the focus goes to the first field as soon as
 * there is one, and back to where it was when the last dialog closes.
 */
export function watchDialogs(layer: HTMLElement, page: HTMLElement): () => void {
  const settled = new WeakSet<Element>()
  let before: Element | null = null

  const settle = (dialog: HTMLElement) => {
    const field = firstField(dialog)
    if (!field) return
    settled.add(dialog)
    // The dialog may have chosen a field by itself.
    if (!document.activeElement?.matches(fields) || !dialog.contains(document.activeElement)) field.focus()
  }
  const look = () => {
    const open = dialogsIn(layer)
    const covered = page.hasAttribute('inert')
    if (open.length > 0 && !covered) {
      before = page.contains(document.activeElement) ? document.activeElement : before
      page.setAttribute('inert', '')
    }
    // Tabs and menu beside the layer can be reached, and those who do not see it are told so.
    for (const dialog of open) dialog.querySelector('[aria-modal=true]')?.setAttribute('aria-modal', 'false')
    const top = open.at(-1)
    if (top && !settled.has(top)) settle(top)
    if (open.length > 0 || !covered) return
    page.removeAttribute('inert')
    const lost = document.activeElement === document.body || layer.contains(document.activeElement)
    if (lost && before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
  // Whoever has begun to work in a dialog is not moved by a field that comes late.
  const begun = ({ target }: Event) => {
    const dialog = target instanceof Element && target.closest(openOnes)
    if (dialog) settled.add(dialog)
  }
  const observer = new MutationObserver(look)
  observer.observe(layer, { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'style'] })
  layer.addEventListener('pointerdown', begun)
  layer.addEventListener('keydown', begun)
  return () => {
    observer.disconnect()
    layer.removeEventListener('pointerdown', begun)
    layer.removeEventListener('keydown', begun)
  }
}

/** Fields in which Enter means something else, or nothing. */
const keepsEnter = 'form *, [type=search], [type=checkbox], [type=radio], [role=combobox], .ant-picker *'

/** Enter in a line of a dialog does what its primary button says. A form around the line does so by itself. */
export function pressPrimary(event: KeyboardEvent): void {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || !(target instanceof HTMLInputElement)) return
  if (target.matches(keepsEnter)) return
  const buttons = target.closest(openOnes)?.querySelectorAll<HTMLButtonElement>('button.ant-btn-primary:not(:disabled)')
  const primary = buttons && [...buttons].at(-1)
  if (!primary) return
  event.preventDefault()
  primary.click()
}
