import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../kit/CopyButton.tsx'
import { agentCommand, mosquittoCommand } from './joinCommands.ts'
import './activation.css'

/** What to type on the device, ready to copy: with our agent, or with any MQTT client. */
export function JoinCommands({ code }: { code: { sn: string; activationCode: string } }) {
  const { t } = useTranslation()
  const ways = [
    { key: 'agent', text: agentCommand(location.origin, code) },
    { key: 'mosquitto', text: mosquittoCommand(location.origin, code) },
  ]
  return (
    <div className="join-commands">
      {ways.map(({ key, text }) => (
        <section key={key}>
          <header>
            <h3>{t(`activationCode.join.${key}`)}</h3>
            <CopyButton text={text} label={t('activationCode.join.copy')} />
          </header>
          <pre className="mono">{text}</pre>
        </section>
      ))}
      <p className="field-help">{t('activationCode.join.once')}</p>
    </div>
  )
}
