import { type Profile, uploadPhoto } from '@campanile/contract/identity'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { describeError } from '../../../shell/errorText.ts'
import { toast } from '../../../shell/feedback.ts'
import { Photo } from './Photo.tsx'
import { faultOfPhoto } from './photoFile.ts'
import { useRefreshProfile } from './useProfile.ts'

/** Choose, look at it, then send it: nothing is stored before the person has seen what it will look like. */
export function PhotoField({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const refresh = useRefreshProfile()
  const picker = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    const found = await faultOfPhoto(file)
    setFault(found === undefined ? undefined : t(`personal.photo.${found}`, { name: file.name }))
    setChosen(found === undefined ? file : undefined)
  }
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
            <Button onClick={() => picker.current?.click()}>{t('personal.photo.change')}</Button>
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
        <p className="field-help">{t('personal.photo.help')}</p>
        {fault !== undefined && (
          <p className="field-error" role="alert">
            {fault}
          </p>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/jpeg,image/png"
        aria-label={t('personal.photo.change')}
        onChange={(event) => {
          void choose(event.target.files?.[0])
          // The same file may be chosen again after it was refused.
          event.target.value = ''
        }}
      />
    </div>
  )
}
