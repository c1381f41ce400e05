import { expect, test } from 'vitest'
import type { QrCode } from '@waymark/sdk'
import { drawValues, isAsSaved, qrCreateBody, qrDestination, qrEditBody, qrValuesOf } from './qr-form.ts'

/** The fields of a code that the form reads. */
const saved = {
  url: 'https://example.com/',
  content: null,
  description: null,
  pattern: 'dots',
  style: null,
  eye_style: 'square',
  frame: null,
  frame_font: 'sans',
  color: '#000000',
  eye_color: '#000000',
  background: '#ffffff',
  size: 300,
  margin: 4,
  dynamic: false,
} as QrCode

test('a new code is dynamic, and one of a short link is not', () => {
  expect(qrValuesOf(null)).toMatchObject({ purpose: 'url', url: '', dynamic: true })
  const ofLink = qrValuesOf(null, 'https://go.example.com/spring')
  expect(ofLink).toMatchObject({ url: 'https://go.example.com/spring', dynamic: false })
})

test('eyes with the colour of the code have none of their own', () => {
  expect(qrValuesOf(saved).eye_color).toBe('')
  const values = qrValuesOf({ ...saved, eye_color: '#ff0000' })
  expect(values.eye_color).toBe('#ff0000')
  expect(qrEditBody('u1', { ...values, eye_color: '' }).eye_color).toBeNull()
})

test('the form of a saved code equals it until something changes', () => {
  const values = qrValuesOf(saved)
  expect(isAsSaved(values, saved)).toBe(true)
  expect(isAsSaved({ ...values, logo: 'data:image/png,shown' }, saved)).toBe(true)
  expect(isAsSaved({ ...values, size: 301 }, saved)).toBe(false)
  expect(isAsSaved({ ...values, logoFile: null }, saved)).toBe(false)
  expect(isAsSaved(values, null)).toBe(false)
})

test('a logo is kept, replaced or removed', () => {
  const values = qrValuesOf(saved)
  expect(qrEditBody('u1', values)).not.toHaveProperty('logo')
  expect(qrEditBody('u1', { ...values, logoFile: null }).logo).toBeNull()
  const file = new File(['a'], 'a.png')
  expect(qrEditBody('u1', { ...values, logoFile: file }).logo).toBe(file)
})

test('an address gets its scheme; a content is sent in its place and is never dynamic', () => {
  const address = qrCreateBody({ ...qrValuesOf(null), url: 'example.com', frame: '  ' })
  expect(address).toMatchObject({ url: 'https://example.com', dynamic: true, frame: null })
  expect(address).not.toHaveProperty('content')
  const phone = { ...qrValuesOf(null), purpose: 'phone', content: { number: '112' } } as const
  expect(qrCreateBody(phone)).toMatchObject({ content: { type: 'phone', number: '112' }, dynamic: false })
  expect(qrCreateBody(phone)).not.toHaveProperty('url')
})

test('a content is encoded once its required fields are there', () => {
  const phone = { ...qrValuesOf(null), purpose: 'phone', content: {} } as const
  expect(qrDestination(phone)).toMatchObject({ content: 'value', value: '' })
  expect(qrDestination({ ...phone, content: { number: '112' } })).toMatchObject({ value: 'tel:112' })
})

test('what cannot be drawn says why', () => {
  const fail = (): never => {
    throw new Error('Too long for a QR code')
  }
  expect(drawValues(qrValuesOf(null), 'x', fail)).toEqual({ fault: 'Too long for a QR code' })
})
