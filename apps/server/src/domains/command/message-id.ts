/** The id a device is given: which command, and which try of it. */
export const messageId = ({ id, attempt }: { readonly id: number; readonly attempt: number }) => `${id}-${attempt}`
export const readMessageId = (text: string): { id: number; attempt: number } | undefined => {
  const [, id, attempt] = /^(\d{1,15})-(\d{1,4})$/.exec(text) ?? []
  return id && attempt ? { id: Number(id), attempt: Number(attempt) } : undefined
}
