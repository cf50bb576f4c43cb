import { MenuIcon } from '../icons.tsx'
import { type Area, firstPath, isScreen } from '../navigation/areas.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import { MenuLink } from './MenuLink.tsx'

interface Props {
  areas: readonly Area[]
  /** Of the page in front. */
  current: Area | undefined
  /** Whose entries stand beside the rail. */
  shown: Area | undefined
  onShow: (area: Area) => void
  onNavigate: () => void
}

/** The areas of work. One with a single screen opens it, the others show what they hold. */
export function Rail({ areas, ...shared }: Props) {
  return (
    <div className="rail">
      <ul>
        {areas
          .filter(({ foot }) => !foot)
          .map((area) => (
            <Tile key={area.node.id} area={area} {...shared} />
          ))}
      </ul>
      <ul>
        {areas
          .filter(({ foot }) => foot)
          .map((area) => (
            <Tile key={area.node.id} area={area} {...shared} />
          ))}
      </ul>
    </div>
  )
}

function Tile({ area, current, shown, onShow, onNavigate }: Omit<Props, 'areas'> & { area: Area }) {
  const title = titleOfNode(area.node, currentLanguage())
  const face = (
    <>
      <MenuIcon name={area.node.icon} size={20} />
      <span className="rail-title">{title}</span>
    </>
  )
  return (
    <li>
      {isScreen(area) ? (
        <MenuLink
          className="rail-tile"
          title={title}
          path={firstPath(area)}
          current={area === current}
          onNavigate={onNavigate}
        >
          {face}
        </MenuLink>
      ) : (
        <button
          type="button"
          className="rail-tile"
          title={title}
          data-current={area === current}
          aria-expanded={area === shown}
          aria-controls="area-panel"
          onClick={() => onShow(area)}
        >
          {face}
        </button>
      )}
    </li>
  )
}
