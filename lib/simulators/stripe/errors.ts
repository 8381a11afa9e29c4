import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';
import type { PaymentIntent } from '#lib/simulators/stripe/objects.ts';

/** Stripe's responses are indented. */
export function json(status: number, value: unknown, rejected = false): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: `${JSON.stringify(value, null, 2)}\n`,
    ...(rejected && { rejected }),
  };
}

/** The `error` of a response, and the `last_payment_error` of a payment intent. */
export type StripeError = {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly network_advice_code?: string;
  readonly network_decline_code?: string;
  readonly charge?: string;
  readonly doc_url?: string;
  readonly payment_intent?: PaymentIntent;
  readonly payment_method?: unknown;
};

/** `rejected`: Stripe did not start to process the request. */
export const errorResponse = (status: number, error: StripeError, rejected = true): WireResponse =>
  json(status, { error }, rejected);

const apiError = (...fault: Parameters<typeof errorResponse>): ApiError => new ApiError(errorResponse(...fault));

const docUrl = (code: string): string => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

export const codeWithDocs = (code: string): { readonly code: string; readonly doc_url: string } => ({
  code,
  doc_url: docUrl(code),
});

/** A parameter is wrong. */
export function invalid(
  message: string,
  { param, code }: { readonly param?: string; readonly code?: string } = {},
): ApiError {
  return apiError(
    400,
    { ...(code && codeWithDocs(code)), message, ...(param && { param }), type: 'invalid_request_error' },
    true,
  );
}

export const missingParameter = (param: string): ApiError =>
  invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

/** Objects of another account read as missing. 404 is for the object in the path, 400 for one in a parameter. */
export function resourceMissing(kind: string, id: string, param: string, status: 400 | 404 = 404): ApiError {
  const message = `No such ${kind}: '${id}'`;
  return apiError(status, { ...codeWithDocs('resource_missing'), message, param, type: 'invalid_request_error' }, true);
}

/** The request is not possible in the payment's present state. */
export function unexpectedState(message: string, intent: PaymentIntent): ApiError {
  const error: StripeError = {
    ...codeWithDocs('payment_intent_unexpected_state'),
    message,
    payment_intent: intent,
    type: 'invalid_request_error',
  };
  return apiError(400, error, false);
}

/** The request is not possible for another reason. */
export function invalidState(
  message: string,
  { param, code }: { readonly param?: string; readonly code?: string } = {},
): ApiError {
  return apiError(
    400,
    { ...(code && codeWithDocs(code)), message, ...(param && { param }), type: 'invalid_request_error' },
    false,
  );
}

/** The 402 of a declined attempt, with the payment intent. */
export const cardDeclined = (error: StripeError, intent: PaymentIntent): ApiError =>
  apiError(402, { ...error, payment_intent: intent }, false);
