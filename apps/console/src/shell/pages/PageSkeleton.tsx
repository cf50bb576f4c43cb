import { Skeleton } from 'antd'

/** Stands where a page's code is still on its way. */
export function PageSkeleton() {
  return (
    <div className="page" aria-hidden="true">
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 8 }} />
    </div>
  )
}
