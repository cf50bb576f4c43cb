import { announcement } from '@campanile/contract/system'
import { ListScreen, SoftTag, useReader, useResourceList } from '../../kit/index.ts'

/** Notes to everybody of an organisation, as declared; only the level has a tone of its own. */
export default function AnnouncementScreen() {
  const list = useResourceList(announcement)
  const reader = useReader(announcement)
  return (
    <ListScreen
      resource={announcement}
      list={list}
      cells={{
        level: ({ level }) => (
          <SoftTag tone={level === 'important' ? 'warning' : 'off'}>{reader.option('level', level)}</SoftTag>
        ),
      }}
    />
  )
}
