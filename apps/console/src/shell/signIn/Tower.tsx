/** The mark of the product; its strokes take the text colour. */
export function Tower({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="-64 -64 128 128" aria-hidden="true" fill="none" stroke="currentColor">
      <path d="M-14 22V5a14 14 0 0 1 28 0v17Z" fill="currentColor" stroke="none" opacity="0.2" />
      <path
        d="M-29 56V-21L0-58l29 37v77M-29 27h58M-41 57h82"
        strokeWidth="11"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cy="5" r="9" fill="currentColor" stroke="none" />
    </svg>
  )
}
