/** Stands where a page's code is still on its way. */
export function PageSkeleton() {
  return (
    <div className="page page-bones" aria-hidden="true">
      {Array.from({ length: 9 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={at} className="bone" />
      ))}
    </div>
  )
}
