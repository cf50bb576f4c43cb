import { create } from 'qrcode'
import { useMemo } from 'react'

const quietZone = 4

/** Drawn here, module by module: a secret must not travel to a picture service. Always dark on white, or cameras fail. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const dark = Array.from(modules.data, (on, at) => (on ? at : -1)).filter((at) => at >= 0)
    return {
      size: modules.size + 2 * quietZone,
      path: dark
        .map((at) => `M${(at % modules.size) + quietZone} ${Math.floor(at / modules.size) + quietZone}h1v1h-1z`)
        .join(''),
    }
  }, [text])
  const drawing = (
    <>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </>
  )
  const shape = { className: 'qr-code', viewBox: `0 0 ${size} ${size}`, shapeRendering: 'crispEdges' as const }
  // Inside a button that says what it is, the picture itself is silent.
  if (label === '')
    return (
      <svg {...shape} aria-hidden="true">
        {drawing}
      </svg>
    )
  return (
    <svg {...shape} role="img" aria-label={label}>
      {drawing}
    </svg>
  )
}
