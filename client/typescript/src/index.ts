export { type ClientErrorCode, type ErrorCode, isPayforkError, PayforkError } from './errors.ts';
export type * from './generated/schemas.ts';
export type { List, Page } from './list.ts';
export type { PayforkOptions, RequestOptions } from './options.ts';
export { Payfork } from './payfork.ts';
