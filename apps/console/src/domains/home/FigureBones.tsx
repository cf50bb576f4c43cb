import '../../kit/kit.css'

/** Where figures will stand, in their shape. */
export function FigureBones({ count }: { count: number }) {
  return (
    <ul className="figure-cards" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={at} className="figure-card">
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
        </li>
      ))}
    </ul>
  )
}
