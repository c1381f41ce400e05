export { changeable, type ChangeableName, changedBody, type Changes } from './change.ts'
export { createClient, type Client } from './client.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  QuotaError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
  WaymarkError,
  type WaymarkErrorDetails,
} from './errors.ts'
export { followImport, type FollowOptions } from './follow-import.ts'
export {
  importFile,
  previewFile,
  type FilePreview,
  type ImportedFile,
  type ImportFileOptions,
  type ImportFileProgress,
} from './import-file.ts'
export type { ListRequest } from './lists.ts'
export type * from './operations.ts'
export type { CallOptions, UploadProgress } from './call-options.ts'
export type {
  ClientOptions,
  CommonOptions,
  KeyOptions,
  RequestEvent,
  ResponseEvent,
  SessionOptions,
  TokenOptions,
} from './options.ts'
export { file, type ByteStream, type Upload, type Uploadable, type UploadOptions } from './uploads.ts'
export type { WebhookEvent } from './webhook-events.ts'
export {
  verifyWebhook,
  WebhookVerificationError,
  type Delivery,
  type DeliveryHeaders,
  type VerifyOptions,
} from './webhooks.ts'
