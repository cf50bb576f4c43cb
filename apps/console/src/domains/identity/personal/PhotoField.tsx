import { type Profile, uploadPhoto, user } from '@campanile/contract/identity'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { useFileChooser } from '../../../kit/files/useFileChooser.tsx'
import { useReader } from '../../../kit/reader.ts'
import { describeError } from '../../../shell/errorText.ts'
import { toast } from '../../../shell/feedback.ts'
import { Photo } from './Photo.tsx'
import { useRefreshProfile } from './useProfile.ts'

/** Choose, look at it, then send it: nothing is stored before the person has seen what it will look like. */
export function PhotoField({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const refresh = useRefreshProfile()
  const [chosen, setChosen] = useState<File>()
  const [busy, setBusy] = useState(false)

  const { open, input, limits, fault, setFault } = useFileChooser({
    field: user.fields.photo,
    label: t('personal.photo.change'),
    reader: useReader(user),
    onChosen: setChosen,
  })
  const send = async (file: File) => {
    setBusy(true)
    try {
      await calls.upload(uploadPhoto, file, {})
      await refresh()
      setChosen(undefined)
      toast.success(t('personal.photo.saved'))
    } catch (error) {
      setFault(describeError(error).text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="photo-field">
      <Photo photo={profile.photo} name={profile.realName} size={72} preview={chosen} />
      <div>
        <div className="photo-buttons">
          {chosen === undefined ? (
            <Button onClick={open}>{t('personal.photo.change')}</Button>
          ) : (
            <>
              <Button loading={busy} onClick={() => send(chosen)}>
                {t('personal.photo.save')}
              </Button>
              <Button disabled={busy} onClick={() => setChosen(undefined)}>
                {t('kit.cancel')}
              </Button>
            </>
          )}
        </div>
        <p className="field-help">{limits}</p>
        {fault !== undefined && (
          <p className="field-error" role="alert">
            {fault}
          </p>
        )}
      </div>
      {input}
    </div>
  )
}
