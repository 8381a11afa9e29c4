export type { ApiPromise, WithResponse } from './api-promise.ts';
export { type ClientErrorCode, type ErrorCode, isPayforkError, PayforkError } from './errors.ts';
export type * from './generated/schemas.ts';
export { VERSION } from './generated/version.ts';
export type { List, Page } from './list.ts';
export type { PayforkOptions, RequestOptions } from './options.ts';
export { Payfork } from './payfork.ts';
export {
  type EventOf,
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
