import { jsonAs } from '#lib/simulators/frame/json.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

/** The `error` of Razorpay's answers. */
export type RazorpayError = {
  readonly code: 'BAD_REQUEST_ERROR' | 'GATEWAY_ERROR' | 'SERVER_ERROR';
  readonly description: string;
  readonly source: string;
  readonly step: string;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly field?: string;
};

const bad = (description: string, rest: Partial<RazorpayError> = {}): RazorpayError => ({
  code: 'BAD_REQUEST_ERROR',
  description,
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
  metadata: {},
  ...rest,
});

export const refused = (error: RazorpayError): Refusal => new Refusal(errorAnswer(400, error));

/** A field is wrong. */
export const invalid = (description: string, field?: string): Refusal =>
  refused(bad(description, field === undefined ? {} : { field }));

/** Also for what belongs to another account: the two read the same, and neither is a 404. */
export const noSuchId = (): Refusal => invalid('The id provided does not exist');

/** Impossible in the state that the object is in. */
export const impossible = (description: string, reason = 'NA'): Refusal =>
  refused(bad(description, { reason, ...(reason === 'NA' && { source: 'NA', step: 'NA' }) }));

export const json = jsonAs('application/json');

const errorAnswer = (status: number, error: RazorpayError): WireAnswer => json(status, { error }, true);

export const plainError = (status: number, description: string, rest: Partial<RazorpayError> = {}): WireAnswer =>
  errorAnswer(status, bad(description, { source: 'NA', step: 'NA', reason: 'NA', ...rest }));
