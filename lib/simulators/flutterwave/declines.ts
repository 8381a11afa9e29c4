import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** Our failure codes as a bank's text in `processor_response`. */
const REASONS: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: 'Insufficient Funds',
  do_not_honor: 'Do not honour',
  limit_exceeded: 'Exceeds withdrawal amount limit',
  try_again_later: 'Please try again later',
  issuer_unavailable: 'Issuer or Switch Inoperative',
  authentication_required: 'Authentication required',
  authentication_failed: '3DS authentication failed',
  incorrect_cvc: 'Invalid CVV',
  invalid_expiry: 'Invalid expiry date',
  incorrect_pin: 'Incorrect PIN',
  call_issuer: 'Please contact your bank',
  expired_card: 'Expired card',
  card_not_supported: 'Card not supported',
  transaction_not_allowed: 'Transaction not permitted to cardholder',
  invalid_number: 'Invalid card number',
  lost_card: 'Lost card',
  stolen_card: 'Stolen card',
  restricted_card: 'Restricted card',
  invalid_account: 'Closed Account',
  authorization_revoked: 'Revocation of authorization order',
  fraud_suspected: 'Suspected fraud',
  customer_canceled: 'Transaction cancelled by customer',
  processing_error: 'acquirer_system_error',
  currency_not_supported: 'Currency not supported by card',
  expired: 'Transaction timed out',
};

/** Issuers' reasons as Flutterwave's test page spells them, which no code of ours stands for. */
const ISSUER_REASONS: ReadonlySet<string> = new Set(
  `already_reversed approved blocked_first_use cannot_complete_violation_of_law cannot_verify_pin error
   exceeds_approval_amount_limit exceeds_withdrawal_limit file_temporarily_not_available invalid_account_number
   invalid_amount invalid_cvv invalid_merchant invalid_restricted_service_code invalid_transaction lost_card_pick_up
   negative_cvv_result no_action_taken no_checking_account no_reason_to_decline no_savings_account no_such_issuer
   partial_approval pick_up_card_fraud pick_up_card_no_fraud pin_data_required pin_entry_tries_exceeded refer_to_issuer
   refer_to_issuer_special_condition reenter_transaction security_violation stolen_card_pick_up suspected_fraud
   system_error transaction_does_not_fulfill_aml_req transaction_not_permitted_card transaction_not_permitted_terminal
   unable_to_locate_record_in_file unable_to_route_transaction unsolicited_reversal`.split(/\s+/),
);

/** Sentences of Flutterwave's support pages, by a name of ours. `unlisted` is on no page. */
const SENTENCES: Readonly<Record<string, string>> = {
  server_error: 'A server error has occurred. Please try again.',
  no_message: 'No message',
  gateway_timeout: 'Gateway timeout',
  in_progress: 'Transaction in progress',
  duplicate: 'Oops! Duplicate transaction reference. Please check and try again',
  aborted: 'ABORTED',
  contact_acquirer: 'Acceptor Contact Acquirer',
  contact_security: 'Acceptor Contact Acquirer, Security',
  acquirer_system_error: 'ACQUIRER_SYSTEM_ERROR',
  otp_error: 'An OTP related error has occured, please contact support.',
  unexpected_error: 'An unexpected error occurred',
  inactive_merchant: 'Inactive merchant',
  mpesa_no_answer: '[Controller - ]Activity timed out',
  mpesa_limit: '[MpesaCB - ]Declined due to limit rule: would exceed the daily transfer limit.',
  mpesa_wrong_pin: '[MpesaCB - ]The initiator information is invalid.',
  mpesa_no_funds: '[MpesaCB - ]The balance is insufficient for the transaction.',
  mtn_no_funds: 'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED',
  flagged: 'Transaction has been flagged as fraudulent',
  unlisted: 'The bank says something that no list has',
};

/** `decline_<name>`: an issuer's reason, or a sentence. */
export function reasonIn(token: string): string | undefined {
  const named = /^decline_(\w+)$/.exec(token)?.[1] ?? '';
  if (Object.hasOwn(SENTENCES, named)) return SENTENCES[named];
  return ISSUER_REASONS.has(named) ? named : undefined;
}

/** Codes without a text become the generic decline. */
export const reasonFor = (code: FailureCode): string => REASONS[code] ?? 'Transaction declined';
