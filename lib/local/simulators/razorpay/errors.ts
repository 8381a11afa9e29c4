import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

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

export class RazorpayRefusal extends Error {
  override readonly name = 'RazorpayRefusal';
  readonly status: number;
  readonly error: RazorpayError;
  constructor(status: number, error: RazorpayError) {
    super(error.description);
    this.status = status;
    this.error = error;
  }
}

const bad = (description: string, rest: Partial<RazorpayError> = {}): RazorpayError => ({
  code: 'BAD_REQUEST_ERROR',
  description,
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
  metadata: {},
  ...rest,
});

/** A field is wrong. */
export const invalid = (description: string, field?: string): RazorpayRefusal =>
  new RazorpayRefusal(400, bad(description, field === undefined ? {} : { field }));

/** Also for what belongs to another account: the two read the same, and neither is a 404. */
export const noSuchId = (): RazorpayRefusal => invalid('The id provided does not exist');

/** Impossible in the state that the object is in. */
export const impossible = (description: string, reason = 'NA'): RazorpayRefusal =>
  new RazorpayRefusal(400, bad(description, { reason, ...(reason === 'NA' && { source: 'NA', step: 'NA' }) }));

export const json = (status: number, value: unknown, turnedAway = false): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
  ...(turnedAway && { turnedAway }),
});

export const errorAnswer = (status: number, error: RazorpayError): WireAnswer => json(status, { error }, true);

export const plainError = (status: number, description: string, rest: Partial<RazorpayError> = {}): WireAnswer =>
  errorAnswer(status, bad(description, { source: 'NA', step: 'NA', reason: 'NA', ...rest }));
