import type { RefusedMessage } from '@campanile/contract/device'
import type { Reader } from '../../kit/index.ts'

/** Which part of a message was refused and why, in the reader's words; nothing where that is not known. */
export const refusedText = (
  message: RefusedMessage | null | undefined,
  { t }: Pick<Reader, 't'>,
): string | undefined => {
  if (!message?.fault) return undefined
  const { kind, fault, field, expected } = message
  const bound = fault === 'wrongKind' ? t(`device.valueKind.${expected}`) : expected
  return t('device.refusedMessage', {
    kind,
    what: t(`deviceRefused.messageFault.${fault}`, { field, expected: bound }),
  })
}
