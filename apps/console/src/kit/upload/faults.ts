import { endsAsWanted, type UploadPurpose } from '@campanile/contract/file'

export type ChoiceFault = 'empty' | 'tooLarge' | 'wrongEnding' | 'tooMany'

/** What the server would refuse a file for, said before a byte of it is sent. */
export const faultOf = (
  { maxBytes, extensions }: Pick<UploadPurpose, 'maxBytes' | 'extensions'>,
  { name, size }: Pick<File, 'name' | 'size'>,
): ChoiceFault | undefined => {
  if (size === 0) return 'empty'
  if (size > maxBytes) return 'tooLarge'
  return endsAsWanted({ extensions }, name) ? undefined : 'wrongEnding'
}
