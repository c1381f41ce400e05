import { expect, test } from 'vitest'
import { namedBy } from './field-names.ts'
import { orNull } from './or-null.ts'

test('a field is named by its label, and a row by the label of its list', () => {
  const nameOf = namedBy({ title: 'Title', buttons: 'Buttons', label: 'Label' })
  expect([nameOf('title'), nameOf('buttons.id-3.label'), nameOf('buttons.new-1'), nameOf('other')]).toEqual([
    'Title',
    'Buttons, Label',
    'Buttons',
    'other',
  ])
})

test('blank text is sent as null, other text without spaces around it', () =>
  expect([orNull(''), orNull(' \n'), orNull(' a b ')]).toEqual([null, null, 'a b']))
