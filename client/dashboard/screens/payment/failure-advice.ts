/** What helps after a failure. */
export type Advice =
  | 'ask_bank'
  | 'wait_or_other_method'
  | 'try_again_soon'
  | 'confirm'
  | 'check_input'
  | 'call_bank'
  | 'other_method'
  | 'not_this_card'
  | 'check_customer'
  | 'own_policy'
  | 'begin_again'
  | 'check_setup'
  | 'check_connection'
  | 'pause'
  | 'pay_anew';

/** By the code of the failure. Adding a code is adding a line here; one that is newer than this page has no advice. */
export const ADVICE: Readonly<Record<string, Advice>> = {
  ...{ do_not_honor: 'ask_bank', card_declined: 'ask_bank' },
  ...{ insufficient_funds: 'wait_or_other_method', limit_exceeded: 'wait_or_other_method' },
  ...{ try_again_later: 'try_again_soon', issuer_unavailable: 'try_again_soon' },
  ...{ processing_error: 'try_again_soon', provider_unavailable: 'try_again_soon' },
  ...{ authentication_required: 'confirm', authentication_failed: 'confirm' },
  ...{ incorrect_cvc: 'check_input', invalid_expiry: 'check_input', incorrect_pin: 'check_input' },
  ...{ invalid_number: 'check_input', invalid_account: 'check_input' },
  ...{ call_issuer: 'call_bank', transaction_not_allowed: 'call_bank', restricted_card: 'call_bank' },
  ...{ expired_card: 'other_method', card_not_supported: 'other_method' },
  ...{ invalid_payment_method: 'other_method', authorization_revoked: 'other_method' },
  ...{ lost_card: 'not_this_card', stolen_card: 'not_this_card' },
  ...{ fraud_suspected: 'check_customer', fraud_blocked: 'own_policy' },
  ...{ customer_canceled: 'begin_again', expired: 'begin_again' },
  ...{ amount_not_supported: 'check_setup', method_not_supported: 'check_setup' },
  ...{ currency_not_supported: 'check_setup', no_route: 'check_setup' },
  ...{ invalid_configuration: 'check_connection', retry_budget_exhausted: 'pause' },
  ...{ capture_declined: 'pay_anew', authorization_expired: 'pay_anew' },
};
