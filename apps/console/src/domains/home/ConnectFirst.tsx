import { type CodeLabel, createCodes } from '@campanile/contract/activation'
import { device, serialMax, serialNumber } from '@campanile/contract/device'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useFields } from '../../kit/form/useFields.ts'
import { calls, usePermitted } from '../../kit/index.ts'
import { JoinCommands } from '../activation/pickers.tsx'

/** No device yet: how the first one comes, with the very commands. It goes by itself when the device is there. */
export function ConnectFirst() {
  const { t } = useTranslation()
  const mayMake = usePermitted(createCodes.perm)
  const mayAdd = usePermitted(device.perms.create)
  const [code, setCode] = useState<CodeLabel>()
  const form = useFields(
    { sn: '' },
    {
      check: ({ sn }) =>
        sn.length <= serialMax && serialNumber.test(sn) ? {} : { sn: t('home.first.snWrong', { max: serialMax }) },
      serverNames: { codes: 'sn' },
    },
  )
  const submit = () => form.submit(async ({ sn }) => setCode((await calls.call(createCodes, { codes: sn })).codes[0]))
  return (
    <section className="card connect-first" aria-label={t('home.first.title')}>
      <h2>{t('home.first.title')}</h2>
      <p>{t(mayMake ? 'home.first.text' : 'home.first.ask')}</p>
      {mayMake && !code && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Labelled {...form.field('sn')} label={t('home.first.sn')} help={t('home.first.snHelp')} required>
            {(state) => (
              <Input
                {...state}
                className="mono"
                placeholder="T2-0001"
                spellCheck={false}
                value={form.values.sn}
                onChange={(event) => form.set('sn', event.target.value.trim())}
                onBlur={form.field('sn').onBlur}
              />
            )}
          </Labelled>
          <Button type="primary" htmlType="submit" loading={form.busy}>
            {t('home.first.make')}
          </Button>
        </form>
      )}
      {code && (
        <>
          <p role="status">{t('home.first.made', { sn: code.sn, code: code.activationCode })}</p>
          <JoinCommands code={code} />
          <p className="quiet">{t('home.first.waiting')}</p>
        </>
      )}
      {mayAdd && (
        <p className="quiet">
          <Link to="/device/list">{t('home.first.list')}</Link>
        </p>
      )}
    </section>
  )
}
