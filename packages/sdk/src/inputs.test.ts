import { expectTypeOf, it } from 'vitest'
import { createClient, type Client, type Input, type Link, type ListName, type Page } from './index.ts'

it('the client has the types of the contract', () => {
  expectTypeOf<Client['generateLink']>().parameter(0).toHaveProperty('link').toEqualTypeOf<string>()
  expectTypeOf<Client['generateLink']>().returns.resolves.toHaveProperty('data').toEqualTypeOf<Link>()
  expectTypeOf<Client['links']>().returns.resolves.toHaveProperty('data').toEqualTypeOf<Link[]>()
  expectTypeOf<Client['generatePage']>().returns.resolves.toHaveProperty('data').toEqualTypeOf<Page>()
  expectTypeOf<Client['healthcheck']>().returns.resolves.toEqualTypeOf<{
    status: 'success'
    message: string
  }>()
})

it('what must be given must be given', () => {
  expectTypeOf<Client['links']>().toBeCallableWith()
  expectTypeOf<Client['signOut']>().toBeCallableWith()
  expectTypeOf<Client['currentPlan']>().toBeCallableWith({}, { idempotencyKey: 'x' })
  expectTypeOf<[]>().not.toExtend<Parameters<Client['generateLink']>>()
  expectTypeOf<Input<'generateQr'>>().not.toExtend<Record<string, never>>()
  expectTypeOf<{ url: string; pattern: 'stars' }>().not.toExtend<Input<'generateQr'>>()
})

it('a file is a Blob, and a query has the types of what it means', () => {
  expectTypeOf<Input<'generateQr'>['logo']>().toEqualTypeOf<Blob | null | undefined>()
  expectTypeOf<Input<'importLinks'>>().toEqualTypeOf<{ file: Blob }>()
  expectTypeOf<Client['exportLinks']>().returns.resolves.toEqualTypeOf<string>()
  expectTypeOf<Input<'links'>['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Input<'analytics'>['from']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<'links' | 'pages' | 'keys'>().toExtend<ListName>()
  expectTypeOf<'generateLink'>().not.toExtend<ListName>()
})

it('a client has either a key or a session', () => {
  expectTypeOf(createClient).toBeCallableWith({ baseUrl: '', session: true })
  expectTypeOf(createClient).toBeCallableWith({ baseUrl: '', apiKey: 'wm_', secret: 'wms_' })
  expectTypeOf<{ baseUrl: string }>().not.toExtend<Parameters<typeof createClient>[0]>()
})
