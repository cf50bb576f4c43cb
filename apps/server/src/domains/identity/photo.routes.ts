import { AppError, commonErrors, readPhoto, uploadPhoto, user } from '@campanile/contract'
import { scopeFor } from '../../kit/actor.ts'
import type { Services } from '../../services.ts'
import { isPhotoVisible, photoAddress, storePhoto } from './profile.store.ts'

const module = 'personal'
const { photo } = user.fields

/** One's own picture, without the right to change people: the file of the same field that administrators fill in. */
export const mountPhotos = ({ kit }: Pick<Services, 'kit'>) => {
  const { storedFiles } = kit.longWork
  kit.takesFile(uploadPhoto, module, {
    ...storedFiles.upload(user.name, 'photo', photo),
    run: async (call, received) => {
      const { id } = await storedFiles.keep({ ...call, input: { name: 'photo' } }, received)
      call.note({ type: 'update' })
      await storePhoto(call.db, call.actor.id, id)
      return { photo: `${photoAddress}${id}` }
    },
  })

  kit.guarded(readPhoto, module, async ({ db, actor, input }) => {
    const paths = scopeFor(actor, 'signedIn')?.paths ?? []
    if (!(await isPhotoVisible(db, input.id, actor.id, paths))) throw new AppError(commonErrors.resourceNotFound)
    return storedFiles.open(db, input.id, photo)
  })
}
