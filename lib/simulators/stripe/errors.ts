import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import type { PaymentIntent } from '#lib/simulators/stripe/objects.ts';

/** Indented, as the real ones are. */
export function json(status: number, value: unknown, turnedAway = false): WireAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: `${JSON.stringify(value, null, 2)}\n`,
    ...(turnedAway && { turnedAway }),
  };
}

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

/** `turnedAway`: Stripe had not begun to carry the request out. */
export const errorAnswer = (status: number, error: StripeError, turnedAway = true): WireAnswer =>
  json(status, { error }, turnedAway);

const refused = (...fault: Parameters<typeof errorAnswer>): Refusal => new Refusal(errorAnswer(...fault));

const docUrl = (code: string): string => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

export const coded = (code: string): { readonly code: string; readonly doc_url: string } => ({
  code,
  doc_url: docUrl(code),
});

/** A parameter is wrong: nothing was begun. */
export function invalid(
  message: string,
  { param, code }: { readonly param?: string; readonly code?: string } = {},
): Refusal {
  return refused(
    400,
    { ...(code && coded(code)), message, ...(param && { param }), type: 'invalid_request_error' },
    true,
  );
}

export const missing = (param: string): Refusal =>
  invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

/**
 * Also for what belongs to another account: the two read the same. `status` is 404 for the object addressed, 400 for
 * one only named.
 */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404 = 404): Refusal {
  const message = `No such ${kind}: '${id}'`;
  return refused(status, { ...coded('resource_missing'), message, param, type: 'invalid_request_error' }, true);
}

/** Begun, and found impossible in the state that the payment is in. */
export function unexpectedState(message: string, intent: PaymentIntent): Refusal {
  const error: StripeError = {
    ...coded('payment_intent_unexpected_state'),
    message,
    payment_intent: intent,
    type: 'invalid_request_error',
  };
  return refused(400, error, false);
}

/** Begun, and impossible for another reason. */
export function impossible(
  message: string,
  { param, code }: { readonly param?: string; readonly code?: string } = {},
): Refusal {
  return refused(
    400,
    { ...(code && coded(code)), message, ...(param && { param }), type: 'invalid_request_error' },
    false,
  );
}

/** The 402 of a declined try, with the whole payment intent. */
export const cardDeclined = (error: StripeError, intent: PaymentIntent): Refusal =>
  refused(402, { ...error, payment_intent: intent }, false);
