import { deviceSetting, settingHistory } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { calls, ListScreen, StateMark, Time, useReader, useResourceList } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../../shell/Page.tsx'
import { useTaskNews } from '../task/useTaskNews.ts'
import { ItemValue, useItemName } from './ItemValue.tsx'
import { useRollBack } from './useRollBack.ts'

type Change = Row<typeof settingHistory>
const tones = { waiting: 'accent', success: 'good', failed: 'bad' } as const
const watchMs = 5_000

/** Everything that was pushed: when, by whom, to which device, from what to what, and whether it took. */
export default function SettingHistoryScreen() {
  const id = Number(useParams().id)
  const reader = useReader(settingHistory)
  const nameOf = useItemName()
  const list = useResourceList(settingHistory, {
    fixed: { settingId: id },
    refreshEvery: (rows) => (rows.some(({ result }) => result === 'waiting') ? watchMs : false),
  })
  useTaskNews(list.reload)
  const { data: setting } = useQuery({
    queryKey: [...listKey(deviceSetting), 'one', id],
    queryFn: async ({ signal }) => (await calls.list(deviceSetting, { ids: [id] }, { signal })).rows[0] ?? null,
  })
  useTabTitle(setting?.name, true)
  const rollBack = useRollBack(id)
  return (
    <ListScreen
      resource={settingHistory}
      list={list}
      cells={{
        createTime: ({ createTime }) => <Time value={createTime} reader={reader} />,
        item: ({ item }) => nameOf(item),
        oldValue: ({ item, oldValue }) => <ItemValue item={item} value={oldValue} />,
        newValue: ({ item, newValue }) => <ItemValue item={item} value={newValue} />,
        result: ({ result }) => <StateMark tone={tones[result]}>{reader.option('result', result)}</StateMark>,
      }}
      rowButtons={[
        {
          label: 'settingHistory.action.rollBack',
          shown: ({ version }: Change) => rollBack.permitted && setting != null && version < setting.version,
          run: ({ version }) => rollBack.to(version),
        },
      ]}
    />
  )
}
