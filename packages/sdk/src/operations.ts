import type { EventType, OperationName, operations, UploadedFile } from '@waymark/contract'
import type { ResponseOf, BodyInput, Data, Query, QueryInput } from '@waymark/contract/schemas'
import type { ListRequest } from './lists.ts'
import type { CallOptions } from './call-options.ts'
import type { Uploadable } from './uploads.ts'

/*
 * The types of every operation, taken from the contract's schemas. The build writes another module with the same
 * exports instead of this one: plain interfaces with doc comments, which need neither the contract nor its library.
 */

export type { ResponseOf, Data, EventType, OperationName }

/** A body as a client sends it: a file is whatever can be uploaded, and what the server makes of it there. */
type Sendable<T> = T extends UploadedFile
  ? Uploadable
  : T extends readonly unknown[]
    ? { [K in keyof T]: Sendable<T[K]> }
    : T extends object
      ? { [K in keyof T]: Sendable<T[K]> }
      : T

/** A query as a client sends it: what the server converts from text has its converted type. */
type Asked<In, Out> = {
  [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K]
}

/** An edit takes each field also as the resource has it, so that `{ ...link, title }` is one. */
type OrAsItIs<I, D> = { [K in keyof I]: K extends keyof D ? I[K] | D[K] : I[K] }

type Body<N extends OperationName> = N extends `edit${string}` | 'updatePersonalInfo'
  ? OrAsItIs<Sendable<BodyInput<N>>, Data<N>>
  : Sendable<BodyInput<N>>

/** What an operation takes: its query when it reads, its body when it writes. */
export type Input<N extends OperationName> = [BodyInput<N>] extends [undefined]
  ? [QueryInput<N>] extends [undefined]
    ? Record<string, never>
    : Asked<QueryInput<N>, Query<N>>
  : Body<N>

/** The names of the operations that return pages of a list. */
export type ListName = {
  // A list with one page has null alone.
  [N in OperationName]: ResponseOf<N> extends { meta: { next_cursor: infer Cursor } }
    ? string extends Cursor
      ? N
      : never
    : never
}[OperationName]

/** One item of a list. */
export type Item<N extends ListName> = ResponseOf<N> extends { data: readonly (infer I)[] } ? I : never

/** The names of the operations that return a stream of events. */
type StreamName = {
  [N in OperationName]: (typeof operations)[N] extends { returns: 'events' } ? N : never
}[OperationName]

type Result<N extends OperationName> = N extends StreamName
  ? AsyncIterable<ResponseOf<N>>
  : N extends ListName
    ? ListRequest<ResponseOf<N>>
    : Promise<ResponseOf<N>>

type Method<N extends OperationName> =
  Record<string, never> extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Result<N>
    : (input: Input<N>, options?: CallOptions) => Result<N>

/** One method for each operation of the service. */
export type Operations = { readonly [N in OperationName]: Method<N> }

/** A short link. */
export type Link = Data<'generateLink'>
/** A tag and how many short links have it. */
export type Tag = Data<'tags'>[number]
/** An import of short links. */
export type Import = Data<'runImport'>
/** A QR code. */
export type QrCode = Data<'generateQr'>
/** A barcode. */
export type Barcode = Data<'generateBarcode'>
/** A UTM link. */
export type UtmLink = Data<'generateUtm'>
/** A custom page with its short link and QR code. */
export type Page = Data<'generatePage'>
/** The theme of a custom page. */
export type PageTheme = Page['theme']
/** The profile of an account. */
export type Profile = Data<'profile'>
/** Feedback that was sent. */
export type Feedback = Data<'addFeedback'>
/** The plan, its limits and what is used of them. */
export type Plan = Data<'currentPlan'>
/** An invoice. */
export type Invoice = Data<'downloadInvoice'>
/** Clicks over time and by origin. */
export type Analytics = Data<'analytics'>
/** A click as it arrives. */
export type LiveClick = ResponseOf<'live'>
/** A domain for short links and pages. */
export type Domain = Data<'domains'>[number]
/** What was found of a domain: DNS records and HTTPS. */
export type DomainCheck = Data<'checkDomain'>
/** A webhook. */
export type Webhook = Data<'webhooks'>[number]
/** A new webhook with its secret. */
export type NewWebhook = Data<'addWebhook'>
/** An event and the state of its delivery. */
export type WebhookDelivery = Data<'webhookDeliveries'>[number]
/** An API key. */
export type ApiKey = Item<'keys'>
/** A new API key with its secret. */
export type NewApiKey = Data<'generateKey'>
/** A workspace that the user is a member of. */
export type Workspace = Data<'workspaces'>[number]
/** A member of a workspace. */
export type Member = Data<'members'>[number]
/** An invitation that was not accepted yet. */
export type Invitation = Data<'invitations'>[number]
/** An access token, without the token itself. */
export type AccessToken = Item<'tokens'>
/** A new access token, this once with the token itself. */
export type NewAccessToken = Data<'generateToken'>
/** A dashboard session. */
export type Session = Data<'sessions'>[number]
/** Settings of the instance that the dashboard needs before sign-in. */
export type Instance = Data<'instance'>
/** What was removed. */
export type Removed = Data<'removeKey'>
/** What was removed: the one, or the list, as requested. */
export type RemovedResources = Data<'removeLinks'>
/** A removed resource that can still be restored. */
export type TrashItem = Item<'trash'>
