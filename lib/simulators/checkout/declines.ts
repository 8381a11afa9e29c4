import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The result of an action. */
export type ResponseCode = { readonly response_code: string; readonly response_summary: string };

const responseCode = (response_code: string, response_summary: string): ResponseCode => ({
  response_code,
  response_summary,
});

export const APPROVED = responseCode('10000', 'Approved');
export const NOT_AUTHENTICATED = responseCode('20151', 'Cardholder failed 3DS authentication');
export const AUTHENTICATION_REQUIRED = responseCode('20154', '3DS authentication required');

/** Our failure codes as Checkout.com's response codes. Codes that only we have (`no_route` …) are missing. */
const DECLINES: Readonly<Partial<Record<FailureCode, ResponseCode>>> = {
  insufficient_funds: responseCode('20051', 'Insufficient Funds'),
  card_declined: responseCode('20046', 'Bank Decline'),
  do_not_honor: responseCode('20005', 'Declined - Do Not Honour'),
  limit_exceeded: responseCode('20061', 'Exceeds Withdrawal Value/Amount Limits'),
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

export const declineFor = (code: FailureCode): ResponseCode => DECLINES[code] ?? responseCode('20046', 'Bank Decline');

/** Undefined if Checkout.com has no such response code. */
export const knownDecline = (code: FailureCode): ResponseCode | undefined => DECLINES[code];
