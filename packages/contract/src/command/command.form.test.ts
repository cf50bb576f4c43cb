import { describe, expect, it } from 'vitest'
import type { Resource } from '../kit/index.ts'
import { languages, textsOf } from '../test/texts.ts'
import { commandForm, settingForm } from './command.form.ts'
import { chosenCommands } from './commands.ts'

describe('the form of a command', () => {
  it.each([
    ...chosenCommands.map((name) => [name, commandForm(name)] as [string, Resource]),
    ['the settings', settingForm] as [string, Resource],
  ])('%s can be entered whole, with labels in three languages', (_, { name, fields }) => {
    for (const language of languages) {
      const texts = textsOf(language)
      for (const [arg, field] of Object.entries(fields)) {
        expect(texts.get(`${name}.field.${arg}`), `${language} ${arg}`).toBeTruthy()
        for (const option of field.options ?? [])
          expect(texts.get(`${name}.option.${arg}.${option}`), `${arg} ${option}`).toBeTruthy()
      }
    }
  })

  it('asks for a folder only when the log of a folder is wanted, and then it must be given', () => {
    expect(commandForm('uploadLog').fields.path).toMatchObject({
      required: true,
      when: { field: 'type', is: ['custom'] },
    })
  })

  it('knows what may be left out and what a field starts with', () => {
    expect(commandForm('restartApp').fields.package?.required).toBe(false)
    expect(commandForm('uninstall').fields.package?.required).toBe(true)
    expect(commandForm('powerSchedule').fields).toMatchObject({
      enabled: { kind: 'switch', initial: true },
      weekdays: { kind: 'weekdays' },
    })
    expect(settingForm.fields.volume).toMatchObject({ kind: 'number', min: 0, max: 100, required: false })
  })
})
