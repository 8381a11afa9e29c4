import type { SimulatorsInput } from '#lib/local/simulators-start.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { AppError, ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

/** What the simulators' thread gets at its start. Functions and secrets cannot be sent to a thread. */
export type ThreadInput = Omit<SimulatorsInput<Clock>, 'clock' | 'masterKey'> & {
  readonly masterKey: Uint8Array;
  readonly time: SharedArrayBuffer;
};

export type ControlName = Exclude<keyof Simulators, 'base' | 'rootCertificates'>;

export type ControlCall = { readonly id: number; readonly control: ControlName; readonly args: readonly unknown[] };

export type ThreadMessage =
  | { readonly kind: 'ready'; readonly base: string; readonly rootCertificates: readonly string[] }
  | { readonly kind: 'failed'; readonly error: SentError }
  /** A promise that nobody awaited was rejected. */
  | { readonly kind: 'unhandled'; readonly error: SentError }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: SentError };

/** An error on its way to another thread, which would keep nothing but its text. */
type SentError = { readonly message: string; readonly fields: Readonly<Record<string, unknown>> };

export const toSent = (error: unknown): SentError =>
  error instanceof Error
    ? { message: error.message, fields: { ...error, stack: error.stack } }
    : { message: String(error), fields: {} };

export function fromSent({ message, fields }: SentError): Error {
  const { code } = fields;
  return isErrorCode(code) ? new AppError(code, message) : Object.assign(new Error(message), fields);
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
