import { useTranslation } from 'react-i18next'
import { globalTitle, useRuntime } from '../runtime.ts'
import { Tower } from './Tower.tsx'
import './brand.css'

/** Logo and name of the installation. */
export function Brand() {
  // Its name may be another in another language.
  useTranslation()
  const logo = useRuntime((runtime) => runtime.logo)
  return (
    <span className="brand">
      {logo === null ? <Tower size={26} /> : <img src={logo} alt="" height={26} />}
      <span className="brand-name">{globalTitle()}</span>
    </span>
  )
}
