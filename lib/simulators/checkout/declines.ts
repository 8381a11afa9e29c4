import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The result of an action. */
export type ResponseCode = { readonly response_code: string; readonly response_summary: string };

const responseCode = (response_code: string, response_summary: string): ResponseCode => ({
  response_code,
  response_summary,
});

/** Why a payment is declined. Without a result nothing was sent to the issuer, and there is no action. */
export type Refusal = {
  readonly result?: ResponseCode;
  readonly processing?: { readonly [advice: string]: string };
  readonly secure?: { readonly authentication_response: string };
};

export const APPROVED = responseCode('10000', 'Approved');
export const NOT_AUTHENTICATED = responseCode('20151', 'Cardholder failed 3DS authentication');
export const AUTHENTICATION_REQUIRED = responseCode('20154', '3DS authentication required');

/** Our failure codes as Checkout.com's response codes. Codes that only we have (`no_route` …) are missing. */
const DECLINES: Readonly<Partial<Record<FailureCode, ResponseCode>>> = {
  insufficient_funds: responseCode('20051', 'Insufficient Funds'),
  card_declined: responseCode('20046', 'Bank Decline'),
  do_not_honor: responseCode('20005', 'Declined - Do Not Honour'),
  limit_exceeded: responseCode('20061', 'Exceeds Withdrawal Value/Amount Limits'),
  try_again_later: responseCode('20019', 'Re-enter transaction'),
  card_not_supported: responseCode('20103', 'Card type / payment method not supported'),
  method_not_supported: responseCode('20058', 'Transaction not permitted to terminal'),
  currency_not_supported: responseCode('20106', 'Unsupported currency'),
  amount_not_supported: responseCode('20013', 'Invalid value/amount'),
  issuer_unavailable: responseCode('20091', 'Issuer Unavailable or Switch Inoperative'),
  authentication_required: AUTHENTICATION_REQUIRED,
  authentication_failed: NOT_AUTHENTICATED,
  incorrect_cvc: responseCode('20087', 'Bad Track Data (invalid CVV and/or expiry date)'),
  invalid_expiry: responseCode('20100', 'Invalid Expiry Date Format'),
  incorrect_pin: responseCode('20055', 'Incorrect PIN'),
  call_issuer: responseCode('20001', 'Refer to card issuer'),
  expired_card: responseCode('20054', 'Expired Card'),
  transaction_not_allowed: responseCode('20057', 'Transaction not Permitted to Cardholder'),
  invalid_payment_method: responseCode('20179', 'Lifecycle'),
  invalid_number: responseCode('20014', 'Invalid Card Number'),
  lost_card: responseCode('30041', 'Lost Card - Pick Up'),
  stolen_card: responseCode('30043', 'Stolen Card - Pick Up'),
  restricted_card: responseCode('20062', 'Restricted Card'),
  invalid_account: responseCode('20053', 'No savings account'),
  authorization_revoked: responseCode(
    '200R3',
    'Issuer initiated a stop payment (revocation order) for all authorizations',
  ),
  fraud_suspected: responseCode('20059', 'Suspected Fraud'),
  customer_canceled: responseCode('20017', 'Customer cancellation'),
  processing_error: responseCode('20096', 'System malfunction'),
  invalid_configuration: responseCode('20003', 'Invalid merchant or service provider'),
};

const SUMMARIES: Readonly<Record<string, string>> = {
  20009: 'Request in progress',
  20118: 'Transaction Pending',
  20199: 'Mandate approval pending',
  ...Object.fromEntries(
    Object.values(DECLINES).map(({ response_code, response_summary }) => [response_code, response_summary]),
  ),
};

/** `decline_authentication_N`: a card whose 3-D Secure ends so. The payment ends with it, and has no action. */
export const authenticationIn = (token: string): string | undefined =>
  /^decline_authentication_([A-Z])$/.exec(token)?.[1];

export const declineFor = (code: FailureCode): ResponseCode => DECLINES[code] ?? responseCode('20046', 'Bank Decline');

/** Undefined if Checkout.com has no such response code. */
export const knownDecline = (code: FailureCode): ResponseCode | undefined => DECLINES[code];

/**
 * `decline_20009`, with advice `decline_20005_recommendation_03` or `decline_20005_advice_21` (Mastercard's).
 */
export function refusalIn(token: string): Refusal | undefined {
  const [, code, kind, advice = ''] =
    /^decline_([1-9]\d{2}[\dA-Z]{2})(?:_(recommendation|advice)_(\d{2}))?$/.exec(token) ?? [];
  if (code === undefined) return undefined;
  const name = kind === 'advice' ? 'partner_merchant_advice_code' : 'recommendation_code';
  return { result: responseCode(code, SUMMARIES[code] ?? 'Declined'), ...(kind && { processing: { [name]: advice } }) };
}
