import { isApiError } from '@campanile/client'
import { commonErrors } from '@campanile/contract/api'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { describeError } from '../../shell/errorText.ts'
import { Failed } from '../Failed.tsx'
import type { Reader } from '../reader.ts'
import type { ResourceList } from './useResourceList.ts'

/** Stands where the rows would: nothing there, nothing matches, not permitted, or broken. They never look alike. */
export function ListState({ list, reader, add }: { list: ResourceList; reader: Reader; add: ReactNode }) {
  const { t } = reader
  if (list.error) {
    if (isApiError(list.error) && list.error.code === commonErrors.noPermission.code)
      return (
        <p className="list-state" role="alert">
          {describeError(list.error).text}
        </p>
      )
    return <Failed error={list.error} onRetry={list.reload} />
  }
  if (list.isFiltered)
    return (
      <div className="list-state" role="status">
        <p>{t('kit.list.noMatch')}</p>
        <Button onClick={list.clearFilters}>{t('kit.filter.clear')}</Button>
      </div>
    )
  return (
    <div className="list-state" role="status">
      <p>{reader.empty}</p>
      {add}
    </div>
  )
}

/** A reload failed while older rows are on screen: they stay, and the screen says that they are old. */
export function StaleNotice({ list, reader }: { list: ResourceList; reader: Reader }) {
  const { title, text } = describeError(list.error)
  return (
    <div className="stale-notice" role="alert">
      <strong>{title}</strong> {text}
      <Button size="small" onClick={list.reload}>
        {reader.t('kit.list.retry')}
      </Button>
    </div>
  )
}
