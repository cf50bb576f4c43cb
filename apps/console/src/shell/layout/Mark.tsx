import { Watermark } from 'antd'

const overThePage = { position: 'absolute', inset: 0, pointerEvents: 'none' } as const

/** Lies over the page and lets every click through. */
export function Mark({ text }: { text: string[] }) {
  return (
    <Watermark content={text} style={overThePage} zIndex={900} font={{ fontSize: 13 }}>
      <span />
    </Watermark>
  )
}
