import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { bakeMinutesMax, release, wavesMax } from '@campanile/contract/release'
import { Button, InputNumber, Segmented, Select } from 'antd'
import { useReader } from '../../../kit/index.ts'
import { type How, type OwnWave, presetNames, withoutWave, withPace, withWave } from './how.ts'
import { Minutes } from './Minutes.tsx'

interface Props {
  how: How
  onChange: (part: Partial<How>) => void
  error: string | undefined
}

/** A few devices first, then more: ready-made ways, or waves of one's own. */
export function Waves({ how, onChange, error }: Props) {
  const { t } = useReader(release)
  const { waves, pace } = how
  const set = (at: number, part: Partial<OwnWave>) =>
    onChange({ pace: 'own', waves: waves.map((wave, each) => (each === at ? { ...wave, ...part } : wave)) })
  return (
    <div className="releasing-waves">
      <Segmented<How['pace']>
        aria-label={t('wizard.waves')}
        value={pace}
        onChange={(next) => onChange(withPace(how, next))}
        options={[...presetNames, 'own' as const].map((value) => ({ value, label: t(`wizard.pace.${value}`) }))}
      />
      <p className="field-help">{t(`wizard.paceHelp.${pace}`)}</p>
      {pace === 'own' && (
        <ol aria-label={t('wizard.waves')}>
          {waves.map((wave, at) => {
            const isLast = at === waves.length - 1
            const name = t('wizard.wave', { wave: at + 1 })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a wave has no other name than its place
              <li key={at}>
                <strong>{name}</strong>
                {isLast ? (
                  <span className="releasing-rest">{t('wizard.theRest')}</span>
                ) : (
                  <>
                    <InputNumber
                      aria-label={t('wizard.amountOf', { wave: at + 1 })}
                      min={1}
                      max={wave.unit === 'percent' ? 99 : 10_000}
                      precision={0}
                      value={wave.amount}
                      onChange={(amount) => set(at, { amount })}
                    />
                    <Select<OwnWave['unit']>
                      aria-label={t('wizard.unitOf', { wave: at + 1 })}
                      value={wave.unit}
                      onChange={(unit) => set(at, { unit })}
                      options={(['devices', 'percent'] as const).map((value) => ({
                        value,
                        label: t(`wizard.unit.${value}`),
                      }))}
                    />
                    <Minutes
                      label={t('wizard.bakeOf', { wave: at + 1 })}
                      placeholder={t('wizard.bakeAsAll')}
                      max={bakeMinutesMax}
                      value={wave.bakeMinutes}
                      onChange={(bakeMinutes) => set(at, { bakeMinutes })}
                    />
                    <Button
                      type="text"
                      size="small"
                      icon={<CloseOutlined />}
                      aria-label={t('wizard.removeWave', { wave: at + 1 })}
                      onClick={() => onChange(withoutWave(how, at))}
                    />
                  </>
                )}
              </li>
            )
          })}
          {waves.length < wavesMax && (
            <li>
              <Button size="small" icon={<PlusOutlined />} onClick={() => onChange(withWave(how))}>
                {t('wizard.addWave')}
              </Button>
            </li>
          )}
        </ol>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {waves.length > 1 && (
        <div className="releasing-line">
          <span>{t('wizard.bake')}</span>
          <Minutes
            label={t('wizard.bake')}
            max={bakeMinutesMax}
            value={how.bakeMinutes}
            onChange={(bakeMinutes) => onChange({ bakeMinutes })}
          />
          <span className="quiet">{t('wizard.bakeHelp')}</span>
        </div>
      )}
    </div>
  )
}
