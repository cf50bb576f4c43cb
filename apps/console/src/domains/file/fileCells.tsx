import type { exportFile } from '@campanile/contract/file'
import type { Row } from '@campanile/contract/kit'
import { Progress } from 'antd'
import { type Reader, StateMark, sizeText } from '../../kit/index.ts'

type File = Row<typeof exportFile>
const tones = { inProgress: 'accent', complete: 'good', abnormal: 'bad' } as const

/** How far a file is and how large, in the list and beside it. */
export const fileCells = (reader: Reader) => ({
  state: ({ state, progress }: File) => (
    <>
      <StateMark tone={tones[state]}>{reader.option('state', state)}</StateMark>
      {state === 'inProgress' && progress !== null && (
        <Progress className="state-progress" percent={progress} size="small" />
      )}
    </>
  ),
  size: ({ size }: File) => (size === null ? '–' : sizeText(size, reader)),
})
