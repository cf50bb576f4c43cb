import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandForm } from './command.form.ts'
import { chosenCommands } from './commands.ts'

describe('the form of a command', () => {
  it.each(chosenCommands)(
    '%s can be entered whole, with a label and names of its choices in three languages',
    (name) => {
      const { fields } = commandForm(name)
      for (const language of ['en', 'zh-CN', 'zh-TW']) {
        const texts = JSON.parse(
          readFileSync(new URL(`../texts/${language}/command.json`, import.meta.url), 'utf8'),
        ) as Record<'field' | 'option', Record<string, Record<string, string>>>
        for (const [arg, field] of Object.entries(fields)) {
          expect(texts.field[arg], `${language} ${arg}`).toBeTruthy()
          for (const option of field.options ?? []) expect(texts.option[arg]?.[option], `${arg} ${option}`).toBeTruthy()
        }
      }
    },
  )

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
      weekdays: { kind: 'choices', options: [1, 2, 3, 4, 5, 6, 7] },
    })
  })
})
