import type { Data } from '@waymark/contract/schemas'
import type { Item } from './inputs.ts'

/** A short link. */
export type Link = Data<'generateLink'>
/** A tag and how many links carry it. */
export type Tag = Data<'tags'>[number]
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
/** Clicks over time and by what they came from. */
export type Analytics = Data<'analytics'>
/** A domain that links and pages may use. */
export type Domain = Data<'domains'>[number]
/** A webhook as it is listed. */
export type Webhook = Data<'webhooks'>[number]
/** A new webhook: the only time that its secret is seen. */
export type NewWebhook = Data<'addWebhook'>
/** One event on its way to a webhook. */
export type WebhookDelivery = Data<'webhookDeliveries'>[number]
/** An API key as it is listed. */
export type ApiKey = Item<'keys'>
/** A new API key: the only time that its secret is seen. */
export type NewApiKey = Data<'generateKey'>
/** A dashboard session. */
export type Session = Data<'sessions'>[number]
/** What a visitor of the dashboard needs to know before signing in. */
export type Instance = Data<'instance'>
