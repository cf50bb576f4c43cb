import { customResource } from '@campanile/contract/resource'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useFields } from '../../kit/form/useFields.ts'
import { usePermitted, useReader } from '../../kit/index.ts'
import { DepartmentPicker } from '../../kit/inputs/DepartmentPicker.tsx'
import { listKey } from '../../kit/list/useResourceList.ts'
import { isThere } from '../../kit/upload/machine.ts'
import type { Item } from '../../kit/upload/queue.ts'
import { UploadPanel } from '../../kit/upload/UploadPanel.tsx'
import { uploads, useUploads } from '../../kit/upload/uploads.ts'
import { describeError } from '../../shell/errorText.ts'
import { Page } from '../../shell/Page.tsx'
import { type About, addResource, isComplete, keepSaid, nameOf, saidOf, say, useAdded } from './added.ts'
import '../../kit/cards.css'
import '../../kit/kit.css'
import './uploadScreen.css'

const purpose = 'resource'
const descriptionMax = 256
const nothing: About = { type: null, departmentId: null, description: '' }

/** Many files at once: what they are is said before, and each becomes a resource as soon as it has arrived. */
export default function UploadScreen() {
  const reader = useReader(customResource)
  const { t } = reader
  const mayList = usePermitted(customResource.perms.list)
  const items = useUploads(purpose)
  const open = items.filter(({ state }) => !isThere(state)).length
  const added = useAdded(({ outcomes }) => outcomes)
  // Before the server has answered there is nothing yet to keep it by.
  useEffect(() => {
    if (items.length > 0) keepSaid(items)
  }, [items])
  const finished = items.filter(({ key, state }) => isThere(state) && added.get(key)?.state === 'added')
  const clear = () => {
    for (const { key } of finished) uploads.forget(key)
  }
  const form = useFields<Record<keyof About, About[keyof About]>>(
    { ...nothing },
    {
      check: ({ type, departmentId, description }) => ({
        ...(type === null && { type: t('kit.error.choose') }),
        ...(departmentId === null && { departmentId: t('kit.error.choose') }),
        ...(String(description).length > descriptionMax && {
          description: t('kit.error.tooLong', { max: descriptionMax }),
        }),
      }),
    },
  )
  const about = form.values as unknown as About
  return (
    <Page
      title={t('upload.title')}
      sub={open > 0 ? t('upload.screen.sub', { count: open, shown: reader.number(open) }) : undefined}
      actions={
        <>
          {finished.length > 0 && <Button onClick={clear}>{t('upload.screen.clear')}</Button>}
          {mayList && <Link to="/custom/resource">{t('upload.screen.all')}</Link>}
        </>
      }
    >
      <div className="upload-screen">
        <section className="card kit-form" aria-label={t('upload.screen.what')}>
          <h2>{t('upload.screen.what')}</h2>
          <p className="field-help">{t('upload.screen.help')}</p>
          <Labelled {...form.field('type')} label={reader.field('type')} required>
            {(state) => (
              <Select
                {...state}
                className="whole"
                value={about.type}
                onChange={(type) => form.set('type', type)}
                options={(customResource.fields.type.options ?? []).map((value) => ({
                  value,
                  label: reader.option('type', value),
                }))}
              />
            )}
          </Labelled>
          <Labelled {...form.field('departmentId')} label={reader.field('departmentId')} required>
            {(state) => (
              <DepartmentPicker
                id={state.id}
                label={reader.field('departmentId')}
                value={about.departmentId}
                invalid={state['aria-invalid']}
                describedBy={state['aria-describedby']}
                onChange={(id) => form.set('departmentId', id)}
              />
            )}
          </Labelled>
          <Labelled {...form.field('description')} label={reader.field('description')}>
            {(state) => (
              <Input.TextArea
                {...state}
                autoSize={{ minRows: 2, maxRows: 6 }}
                count={{ show: true, max: descriptionMax }}
                value={about.description}
                onChange={(event) => form.set('description', event.target.value)}
              />
            )}
          </Labelled>
        </section>
        <section className="card" aria-label={t('upload.screen.how')}>
          <h2>{t('upload.screen.how')}</h2>
          <UploadPanel
            purpose={purpose}
            onAdded={(keys) => {
              say(keys, about)
              if (!isComplete(about)) document.getElementById(form.show() ?? '')?.focus()
            }}
            outcome={(item) => <Added item={item} about={about} onMissing={() => form.show()} />}
          />
        </section>
      </div>
    </Page>
  )
}

interface AddedProps {
  item: Item
  /** As it stands now, for a file of which nothing was said when it was chosen. */
  about: About
  onMissing: () => string | undefined
}

/** Which resource a file became; one whose name is taken is added under another. */
function Added({ item, about, onMissing }: AddedProps) {
  const { t } = useReader(customResource)
  const queries = useQueryClient()
  const outcome = useAdded(({ outcomes }) => outcomes.get(item.key))
  const said = saidOf(
    item,
    useAdded((state) => state.about),
  )
  const [name, setName] = useState(() => nameOf(item))
  const add = async (wanted: string, what: About) => {
    await addResource(item, wanted, what)
    await queries.invalidateQueries({ queryKey: listKey(customResource) })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the file is there and known
  useEffect(() => {
    if (isComplete(said)) void add(nameOf(item), said)
  }, [item.key])
  if (outcome?.state === 'added') return <>{t('upload.screen.added', { name: outcome.name })}</>
  if (outcome?.state === 'adding') return <>{t('upload.screen.adding')}</>
  const failure = outcome?.error === undefined ? undefined : describeError(outcome.error)
  return (
    <span className="upload-add">
      <span className={failure ? 'field-error' : undefined} role={failure ? 'alert' : undefined}>
        {failure ? `${failure.title} · ${failure.text}` : t('upload.screen.notAdded')}
      </span>
      <Input
        size="small"
        aria-label={t('upload.screen.rename')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        size="small"
        disabled={name.trim() === ''}
        onClick={() => {
          const what = isComplete(said) ? said : about
          if (isComplete(what)) void add(name.trim(), what)
          else document.getElementById(onMissing() ?? '')?.focus()
        }}
      >
        {t('upload.screen.add')}
      </Button>
    </span>
  )
}
