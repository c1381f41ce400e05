import { expectTypeOf, it } from 'vitest'
import {
  createClient,
  type Client,
  type Input,
  type Link,
  type ListName,
  type Page,
  type QrCode,
  type Uploadable,
  type WebhookEvent,
} from './index.ts'

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

it('required fields are required', () => {
  expectTypeOf<Client['links']>().toBeCallableWith()
  expectTypeOf<Client['signOut']>().toBeCallableWith()
  expectTypeOf<Client['currentPlan']>().toBeCallableWith({}, { idempotencyKey: 'x' })
  expectTypeOf<[]>().not.toExtend<Parameters<Client['generateLink']>>()
  expectTypeOf<Input<'generateQr'>>().not.toExtend<Record<string, never>>()
  expectTypeOf<{ url: string; pattern: 'stars' }>().not.toExtend<Input<'generateQr'>>()
})

it('a file is anything that can be uploaded, and a query has converted types', () => {
  expectTypeOf<Input<'generateQr'>['logo']>().toEqualTypeOf<Uploadable | null | undefined>()
  expectTypeOf<Input<'importLinks'>['file']>().toEqualTypeOf<Uploadable>()
  expectTypeOf<Client['exportLinks']>().returns.resolves.toEqualTypeOf<string>()
  expectTypeOf<Input<'links'>['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Input<'analytics'>['from']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<'links' | 'pages' | 'keys'>().toExtend<ListName>()
  expectTypeOf<'generateLink'>().not.toExtend<ListName>()
})

it('a whole resource can be sent back with changes', () => {
  const link = {} as Link
  expectTypeOf<Client['editLinks']>().toBeCallableWith({ ...link, description: 'new' }, { ifMatch: link })
  const code = {} as QrCode
  expectTypeOf<Client['editQr']>().toBeCallableWith({ ...code, logo: new Uint8Array() })
  const page = {} as Page
  expectTypeOf<Client['editPage']>().toBeCallableWith({ ...page, title: 'new' })
})

it('a list is both a page and an iterable of all items', () => {
  expectTypeOf<Client['links']>().returns.resolves.toHaveProperty('meta')
  expectTypeOf<Client['links']>().returns.toExtend<AsyncIterable<Link>>()
})

it('an event has the type of its data', () => {
  expectTypeOf<Extract<WebhookEvent, { type: 'link.edited' }>['data']>().toEqualTypeOf<Link>()
  expectTypeOf<Extract<WebhookEvent, { type: 'page.removed' }>['data']>().toEqualTypeOf<{ uuid: string }>()
})

it('a client has either a key or a session', () => {
  expectTypeOf(createClient).toBeCallableWith({ baseUrl: '', session: true })
  expectTypeOf(createClient).toBeCallableWith({ baseUrl: '', apiKey: 'wm_', secret: 'wms_' })
  expectTypeOf<{ baseUrl: string }>().not.toExtend<Parameters<typeof createClient>[0]>()
})
