import { z } from 'zod'
import type { OperationName } from '../table.ts'
import { accessSchemas } from './access.ts'
import { accountSchemas } from './accounts.ts'
import { analyticsSchemas } from './analytics.ts'
import { barcodeSchemas } from './barcodes.ts'
import { brandKitSchemas } from './brand-kit.ts'
import { bulkEditSchemas } from './bulk-edits.ts'
import { codeFileSchemas } from './code-files.ts'
import { dashboardSchemas } from './dashboard.ts'
import { factorSchemas } from './factors.ts'
import { described, named } from './described.ts'
import { domainSchemas } from './domains.ts'
import { importSchemas } from './imports.ts'
import { historySchemas } from './link-history.ts'
import { simulationSchemas } from './link-simulation.ts'
import { linkSchemas } from './links.ts'
import { liveSchemas } from './live.ts'
import { pageSchemas } from './pages.ts'
import { qrSchemas } from './qrcodes.ts'
import { shortCodeSchemas } from './short-codes.ts'
import { trashSchemas } from './trash.ts'
import { utmSchemas } from './utm.ts'
import { webhookSchemas } from './webhooks.ts'
import { workspaceSchemas } from './workspaces.ts'

/** The health check is the one response without `data`. */
const Health = named(
  'Health',
  'The state of the service.',
  z.object(
    described(
      { status: 'Always `success`.', message: 'States that the system is healthy and operational.' },
      { status: z.literal('success'), message: z.string() },
    ),
  ),
)

/** The input and output of an operation. */
export interface OperationSchemas {
  readonly body?: z.ZodType
  readonly query?: z.ZodObject
  readonly response: z.ZodType
}

/** Body, query and response of every operation in the table. */
export const schemas = {
  healthcheck: { response: Health },
  ...accountSchemas,
  ...brandKitSchemas,
  ...barcodeSchemas,
  ...pageSchemas,
  ...linkSchemas,
  ...simulationSchemas,
  ...historySchemas,
  ...shortCodeSchemas,
  ...bulkEditSchemas,
  ...importSchemas,
  ...qrSchemas,
  ...codeFileSchemas,
  ...utmSchemas,
  ...analyticsSchemas,
  ...liveSchemas,
  ...domainSchemas,
  ...webhookSchemas,
  ...trashSchemas,
  ...dashboardSchemas,
  ...accessSchemas,
  ...workspaceSchemas,
  ...factorSchemas,
} satisfies Record<OperationName, OperationSchemas>

type Of<N extends OperationName> = (typeof schemas)[N]

/** The body that a caller can send. */
export type BodyInput<N extends OperationName> =
  Of<N> extends { body: infer B extends z.ZodType } ? z.input<B> : undefined

/** The body of an operation after validation. */
export type Body<N extends OperationName> =
  Of<N> extends { body: infer B extends z.ZodType } ? z.output<B> : undefined

/** The query that a caller can send. */
export type QueryInput<N extends OperationName> =
  Of<N> extends { query: infer Q extends z.ZodType } ? z.input<Q> : undefined

/** The query of an operation after validation. */
export type Query<N extends OperationName> =
  Of<N> extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined

/** The response of an operation on success. */
export type ResponseOf<N extends OperationName> = z.output<Of<N>['response']>

/** The `data` of a response. */
export type Data<N extends OperationName> = ResponseOf<N> extends { data: infer D } ? D : undefined

export { ErrorResponse } from './responses.ts'
export { ONLY_URLS_ARE_DYNAMIC } from './barcodes.ts'
export { CONTENT_TYPES, type ContentType, QrContent } from './contents.ts'
export { ONLY_QR_URLS_ARE_DYNAMIC } from './qrcodes.ts'
export { acceptingStored, normaliseUrl, readInstant } from './fields.ts'
export { type LinkRule, type LinkVariant, MOST_ALTERNATIVES, MOST_RULES } from './link-rules.ts'
export { TAG_SEPARATOR } from './link-tags.ts'
export { LinkImport, MOST_LINKS_AT_ONCE } from './links.ts'
export { browserName, BROWSERS, systemName, SYSTEMS } from './visitor-names.ts'
export type { ImportSource } from './imports.ts'
export type { SecurityEventKind } from './dashboard.ts'
export { jsonSchemaOf, type JsonSchema, type JsonSchemaDialect } from './json-schema.ts'
export { themeAliases } from './page-parts.ts'
export { isNestedPage } from './pages.ts'
export { MOST_ERASED_AT_ONCE, MOST_REMOVED_AT_ONCE, TRASH_DAYS } from './trash.ts'
export { type FieldErrors, fieldErrors, validate } from './validate.ts'
