import { imLicence } from '@campanile/contract/licence'
import { later } from '../../shell/later.tsx'
import { RevocableLicences } from './RevocableLicences.tsx'

const AuthoriseIm = later(async () => (await import('./AuthoriseIm.tsx')).AuthoriseIm)

/** Which devices may call through a messaging app, on whose account. */
export default function ImLicencesScreen() {
  return <RevocableLicences kind={imLicence} Authorise={AuthoriseIm} />
}
