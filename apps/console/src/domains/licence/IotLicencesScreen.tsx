import { iotLicence } from '@campanile/contract/licence'
import { later } from '../../shell/later.tsx'
import { RevocableLicences } from './RevocableLicences.tsx'
import { Unlicensed } from './Unlicensed.tsx'

const AuthoriseIot = later(async () => (await import('./AuthoriseIot.tsx')).AuthoriseIot)

/** Which devices may connect where their organisation wants a licence. */
export default function IotLicencesScreen() {
  return <RevocableLicences kind={iotLicence} Authorise={AuthoriseIot} toolbar={<Unlicensed />} />
}
