import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** How Checkout.com words what became of an action. */
export type Verdict = { readonly response_code: string; readonly response_summary: string };

const verdict = (response_code: string, response_summary: string): Verdict => ({ response_code, response_summary });

export const APPROVED = verdict('10000', 'Approved');
export const NOT_AUTHENTICATED = verdict('20151', 'Cardholder failed 3DS authentication');
export const AUTHENTICATION_REQUIRED = verdict('20154', '3DS authentication required');

/** Our failure codes in Checkout.com's words. Codes that are ours alone (`no_route`, `expired` …) have none. */
const DECLINES: Readonly<Partial<Record<FailureCode, Verdict>>> = {
  insufficient_funds: verdict('20051', 'Insufficient Funds'),
  card_declined: verdict('20046', 'Bank Decline'),
  do_not_honor: verdict('20005', 'Declined - Do Not Honour'),
  limit_exceeded: verdict('20061', 'Exceeds Withdrawal Value/Amount Limits'),
  issuer_unavailable: verdict('20091', 'Issuer Unavailable or Switch Inoperative'),
  authentication_required: AUTHENTICATION_REQUIRED,
  authentication_failed: NOT_AUTHENTICATED,
  incorrect_cvc: verdict('20087', 'Bad Track Data (invalid CVV and/or expiry date)'),
  invalid_expiry: verdict('20100', 'Invalid Expiry Date Format'),
  incorrect_pin: verdict('20055', 'Incorrect PIN'),
  call_issuer: verdict('20001', 'Refer to card issuer'),
  expired_card: verdict('20054', 'Expired Card'),
  transaction_not_allowed: verdict('20057', 'Transaction not Permitted to Cardholder'),
  invalid_payment_method: verdict('20179', 'Lifecycle'),
  invalid_number: verdict('20014', 'Invalid Card Number'),
  lost_card: verdict('30041', 'Lost Card - Pick Up'),
  stolen_card: verdict('30043', 'Stolen Card - Pick Up'),
  restricted_card: verdict('20062', 'Restricted Card'),
  invalid_account: verdict('20053', 'No savings account'),
  authorization_revoked: verdict('200R3', 'Issuer initiated a stop payment (revocation order) for all authorizations'),
  fraud_suspected: verdict('20059', 'Suspected Fraud'),
  customer_canceled: verdict('20017', 'Customer cancellation'),
  processing_error: verdict('20096', 'System malfunction'),
  invalid_configuration: verdict('20003', 'Invalid merchant or service provider'),
};

export const declineFor = (code: FailureCode): Verdict => DECLINES[code] ?? verdict('20046', 'Bank Decline');

/** Undefined where Checkout.com has no word of its own. */
export const knownDecline = (code: FailureCode): Verdict | undefined => DECLINES[code];
