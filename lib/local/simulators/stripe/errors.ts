import type { PaymentIntent } from '#lib/local/simulators/stripe/objects.ts';

/** The `error` of Stripe's answers, and a payment intent's `last_payment_error`. */
export type StripeError = {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly network_decline_code?: string;
  readonly charge?: string;
  readonly doc_url?: string;
  readonly payment_intent?: PaymentIntent;
  readonly payment_method?: unknown;
};

/** An answer that is not 2xx. `turnedAway`: Stripe had not begun to carry the request out. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly status: number;
  readonly error: StripeError;
  readonly turnedAway: boolean;
  constructor(status: number, error: StripeError, turnedAway: boolean) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.turnedAway = turnedAway;
  }
}

const docUrl = (code: string): string => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

export const coded = (code: string): { readonly code: string; readonly doc_url: string } => ({ code, doc_url: docUrl(code) });

/** A parameter is wrong: nothing was begun. */
export function invalid(message: string, { param, code }: { readonly param?: string; readonly code?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { ...(code && coded(code)), message, ...(param && { param }), type: 'invalid_request_error' }, true);
}

export const missing = (param: string): StripeRefusal => invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

/** Also for what belongs to another account: the two read the same. `status` is 404 for the object addressed, 400 for one only named. */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeRefusal {
  const message = `No such ${kind}: '${id}'`;
  return new StripeRefusal(status, { ...coded('resource_missing'), message, param, type: 'invalid_request_error' }, true);
}

/** Begun, and found impossible in the state that the payment is in. */
export function unexpectedState(message: string, intent: PaymentIntent): StripeRefusal {
  const error: StripeError = { ...coded('payment_intent_unexpected_state'), message, payment_intent: intent, type: 'invalid_request_error' };
  return new StripeRefusal(400, error, false);
}

/** Begun, and impossible for another reason. */
export function impossible(message: string, { param, code }: { readonly param?: string; readonly code?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { ...(code && coded(code)), message, ...(param && { param }), type: 'invalid_request_error' }, false);
}

/** The 402 of a declined try, with the whole payment intent. */
export const cardDeclined = (error: StripeError, intent: PaymentIntent): StripeRefusal => new StripeRefusal(402, { ...error, payment_intent: intent }, false);
