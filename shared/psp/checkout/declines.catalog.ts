import type { Decline, DeclineClass } from '#shared/domain/payments/declines.catalog.ts';
import {
  type RefundDecline,
  type RefundFailureCode,
  refundDecline,
} from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type Advice,
  adviceIn,
  lookUp,
  mastercardAdvice,
  type ReasonMeaning,
  type ReasonTable,
  readReason,
  UNDECIDED,
  UNKNOWN_ADVICE,
  unknownDecline,
  withAdvice,
} from '#shared/psp/kit/declines.ts';

/** The issuer answered with a word that says nothing about the card, and nothing about another try. */
const STAYS = ['card_declined', 'retry_same_later'] as const satisfies ReasonMeaning;

/** Something in the request has to change first: an address, a country, a description. */
const FIX = ['invalid_payment_method', 'fix_input'] as const satisfies ReasonMeaning;

const NEVER = ['transaction_not_allowed', 'never'] as const satisfies ReasonMeaning;

/**
 * `response_code` of a declined payment → ours. Source: Checkout.com's page "API response codes", as of 2025-12 and
 * 2026-07, each code of 10xxx to 43xxx once; 20010 and 200O5 stand only in earlier editions. 50xxx are of payouts.
 * Adding a line means that the page has a new code.
 */
export const REASONS: ReasonTable = {
  // Approvals. With the status `Declined` they contradict it, so the payment is asked about again.
  10000: UNDECIDED,
  10008: UNDECIDED,
  10010: UNDECIDED,
  10011: UNDECIDED,
  10076: UNDECIDED,
  10077: UNDECIDED,
  10081: UNDECIDED,
  10100: UNDECIDED,
  10200: UNDECIDED,

  20001: 'call_issuer',
  20002: 'call_issuer',
  20003: 'invalid_configuration',
  20004: 'restricted_card',
  20005: 'do_not_honor',
  20006: 'processing_error',
  // In progress, and approved in part: the bank may have taken the money.
  20009: UNDECIDED,
  20010: UNDECIDED,
  20012: 'transaction_not_allowed',
  20013: 'amount_not_supported',
  20014: 'invalid_number',
  // Not through this debit network: another account may use another one.
  20015: 'method_not_supported',
  20016: 'call_issuer',
  20017: 'customer_canceled',
  20018: NEVER,
  20019: 'try_again_later',
  20020: ['processing_error', 'retry_same_later'],
  20021: STAYS,
  20022: 'processing_error',
  20023: 'processing_error',
  20024: STAYS,
  20025: 'invalid_account',
  20026: STAYS,
  20027: STAYS,
  20028: 'try_again_later',
  20029: STAYS,
  20030: 'processing_error',
  20031: 'method_not_supported',
  // Completed in part.
  20032: UNDECIDED,
  20033: 'invalid_payment_method',
  20038: ['incorrect_pin', 'new_method'],
  20039: 'invalid_account',
  20040: 'transaction_not_allowed',
  20042: 'transaction_not_allowed',
  20044: 'invalid_account',
  20045: 'card_not_supported',
  // "Bank decline", the generic refusal next to 20005.
  20046: 'card_declined',
  20051: 'insufficient_funds',
  20052: 'invalid_account',
  20053: 'invalid_account',
  20054: 'expired_card',
  20055: 'incorrect_pin',
  20056: 'invalid_account',
  20057: 'transaction_not_allowed',
  // The terminal is the account: another account may take the card.
  20058: 'method_not_supported',
  20059: 'fraud_suspected',
  '2005C': 'transaction_not_allowed',
  20060: NEVER,
  20061: 'limit_exceeded',
  20062: 'restricted_card',
  20063: 'fraud_suspected',
  // 2025: a rule against money laundering. 2026: a wrong original value.
  20064: NEVER,
  20065: 'limit_exceeded',
  20066: 'fraud_suspected',
  20067: 'restricted_card',
  20068: 'issuer_unavailable',
  '2006P': 'call_issuer',
  20070: 'authentication_required',
  20072: 'call_issuer',
  20075: ['incorrect_pin', 'new_method'],
  20078: 'call_issuer',
  20081: 'card_not_supported',
  20082: 'incorrect_cvc',
  20083: 'invalid_account',
  20084: STAYS,
  20085: STAYS,
  20086: STAYS,
  20087: 'incorrect_cvc',
  20088: 'issuer_unavailable',
  20089: STAYS,
  20090: 'try_again_later',
  20091: 'issuer_unavailable',
  20092: 'issuer_unavailable',
  20093: NEVER,
  // Possible duplicate of a recent charge: a failover could charge the customer twice.
  20094: ['card_declined', 'fix_input'],
  20095: STAYS,
  20096: 'processing_error',
  20097: STAYS,
  20098: 'processing_error',
  // "Other, unidentified": the provider does not know either.
  20099: STAYS,
  '2009G': 'restricted_card',
  '200A4': 'call_issuer',
  '200A5': STAYS,
  // The scheme forwarded the request, and the issuer did not respond.
  '200A6': UNDECIDED,
  '200E0': 'invalid_configuration',
  '200E2': 'invalid_configuration',
  '200E3': 'try_again_later',
  '200N0': 'issuer_unavailable',
  '200N7': 'incorrect_cvc',
  '200O5': 'authentication_required',
  '200P1': 'limit_exceeded',
  '200P9': 'limit_exceeded',
  '200R1': 'authorization_revoked',
  '200R3': 'authorization_revoked',
  '200S4': 'processing_error',
  '200T2': 'processing_error',
  '200T3': 'card_not_supported',
  '200T5': 'restricted_card',
  20100: 'invalid_expiry',
  20101: 'invalid_payment_method',
  20102: 'invalid_configuration',
  20103: 'card_not_supported',
  20104: STAYS,
  20105: STAYS,
  20106: 'currency_not_supported',
  20107: FIX,
  // Newer card data exist.
  20108: FIX,
  20109: STAYS,
  // "Authorization completed".
  20110: UNDECIDED,
  20111: STAYS,
  20112: 'invalid_configuration',
  20113: 'invalid_configuration',
  20114: 'invalid_payment_method',
  20115: 'invalid_configuration',
  20116: 'invalid_configuration',
  20117: 'invalid_configuration',
  20118: UNDECIDED,
  20119: 'invalid_configuration',
  20120: 'invalid_payment_method',
  // The limit of the merchant or terminal, not of the card.
  20121: ['limit_exceeded', 'retry_other_psp'],
  20122: 'card_not_supported',
  20123: FIX,
  20124: 'incorrect_cvc',
  20150: 'authentication_failed',
  20151: 'authentication_failed',
  20152: 'authentication_failed',
  20153: 'authentication_failed',
  20154: 'authentication_required',
  20155: 'authentication_failed',
  20156: 'method_not_supported',
  20157: 'invalid_configuration',
  20158: STAYS,
  20159: 'authentication_failed',
  20179: ['invalid_payment_method', 'never'],
  20182: ['do_not_honor', 'never'],
  20183: 'fraud_suspected',
  20193: FIX,
  20197: 'invalid_configuration',
  // The customer's bank has yet to approve the mandate.
  20199: UNDECIDED,

  30004: 'restricted_card',
  30007: 'restricted_card',
  30015: 'invalid_number',
  30016: NEVER,
  30017: NEVER,
  30018: NEVER,
  30019: NEVER,
  30020: ['amount_not_supported', 'never'],
  30021: ['limit_exceeded', 'never'],
  30022: ['limit_exceeded', 'never'],
  30033: 'expired_card',
  30034: 'fraud_suspected',
  30035: 'restricted_card',
  30036: 'restricted_card',
  30037: 'fraud_suspected',
  30038: 'restricted_card',
  30041: 'lost_card',
  30043: 'stolen_card',
  // An anonymous prepaid card above 50 EUR.
  30044: 'card_not_supported',
  30045: NEVER,
  30046: 'invalid_account',
  // Captures above the authorized amount.
  30401: STAYS,
  30402: STAYS,
  30403: STAYS,
  30404: 'invalid_configuration',
  // The description or descriptor has characters that the acquirer does not take.
  30405: ['invalid_configuration', 'fix_input'],

  40101: 'fraud_suspected',
  40201: 'fraud_suspected',
  40202: 'fraud_suspected',
  40203: 'fraud_suspected',
  40204: 'fraud_suspected',
  40205: 'fraud_suspected',
  41101: 'fraud_suspected',
  41201: 'fraud_suspected',
  41202: 'fraud_suspected',
  41203: 'fraud_suspected',
  41204: 'fraud_suspected',
  41205: 'fraud_suspected',
  41206: 'fraud_suspected',
  41301: 'fraud_suspected',
  42101: 'fraud_suspected',
  42201: 'fraud_suspected',
  42202: 'fraud_suspected',
  42203: 'fraud_suspected',
  42204: 'fraud_suspected',
  42205: 'fraud_suspected',
  42206: 'fraud_suspected',
  42301: 'fraud_suspected',
  43101: 'fraud_suspected',
  43102: 'fraud_suspected',
  43201: 'fraud_suspected',
  43202: 'fraud_suspected',
  43203: 'fraud_suspected',
  43204: 'fraud_suspected',
  43205: 'fraud_suspected',
  43206: 'fraud_suspected',
  43301: 'fraud_suspected',
  43401: 'authentication_required',
  // The same in the edition of 2025.
  44301: 'authentication_required',
};

/** By the first digit, for codes that have no line: 30xxx are hard declines, 4xxxx decisions about risk. */
const RANGES: ReasonTable = { 3: ['card_declined', 'never'], 4: 'fraud_suspected' };

/** Mastercard's collective codes. Without advice they are final; with advice they mean what the advice says. */
const DECIDED_BY_ADVICE: ReasonTable = {
  20179: 'invalid_payment_method',
  20182: ['do_not_honor', 'retry_same_later'],
};

/** `processing.recommendation_code`, Checkout.com's own advice for Visa and Mastercard (its page of 2026-01). */
export const RECOMMENDATIONS: Readonly<Record<string, DeclineClass>> = {
  '01': 'fix_input',
  '02': 'retry_same_later',
  '03': 'never',
};

/** `3ds.authentication_response` (EMV 3-D Secure) of a payment that was declined without a code. Y and A passed. */
export const AUTHENTICATIONS: Readonly<Record<string, ReasonMeaning | 'passed'>> = {
  Y: 'passed',
  A: 'passed',
  I: 'passed',
  N: 'authentication_failed',
  U: 'authentication_failed',
  C: 'authentication_failed',
  D: 'authentication_failed',
  // The issuer asks that no authorization be tried.
  R: ['authentication_failed', 'new_method'],
};

/** `3ds.authentication_status_reason` (EMV 3-D Secure) where it says more than a failed authentication. */
const AUTHENTICATION_REASONS: ReasonTable = {
  '05': 'expired_card',
  '06': 'invalid_number',
  '08': 'invalid_number',
  '09': 'fraud_suspected',
  10: 'stolen_card',
  11: 'fraud_suspected',
  12: 'transaction_not_allowed',
};

/**
 * `error_codes` of a 422 → a decline, where the payment's input or the amount is to blame; `account`, where the account
 * or its channel can't take payments; `request`, where our request is wrong. Source: Checkout.com's page "Error codes",
 * 2025-01, and older pages for token_used, instrument_not_found and the like.
 */
export const ERROR_CODES: Readonly<Record<string, ReasonMeaning | 'account' | 'request'>> = {
  '3ds_malfunction': 'authentication_failed',
  '3ds_not_configured': 'account',
  '3ds_not_enabled_for_card': 'authentication_failed',
  '3ds_not_supported': 'authentication_failed',
  '3ds_payment_required': 'authentication_required',
  '3ds_version_invalid': 'request',
  '3ds_version_not_supported': 'request',
  action_failure_limit_exceeded: 'limit_exceeded',
  address_invalid: 'request',
  aft_processor_not_matched: 'account',
  amount_exceeds_balance: 'request',
  amount_invalid: 'amount_not_supported',
  amount_limit_exceeded: 'amount_not_supported',
  api_calls_quota_exceeded: 'request',
  billing_descriptor_city_invalid: 'request',
  billing_descriptor_city_required: 'request',
  billing_descriptor_name_invalid: 'request',
  billing_descriptor_name_required: 'request',
  business_invalid: 'account',
  business_settings_missing: 'account',
  capture_value_greater_than_authorized: 'request',
  capture_value_greater_than_remaining_authorized: 'request',
  card_authorization_failed: 'card_declined',
  card_disabled: 'invalid_payment_method',
  card_expired: 'expired_card',
  card_expiry_month_invalid: 'invalid_expiry',
  card_expiry_month_required: 'invalid_expiry',
  card_expiry_year_invalid: 'invalid_expiry',
  card_expiry_year_required: 'invalid_expiry',
  card_holder_invalid: FIX,
  card_not_eligible_cross_border_money_transfer: 'card_not_supported',
  card_not_eligible_cross_border_non_money_transfer: 'card_not_supported',
  card_not_eligible_cross_border_online_gambling: 'card_not_supported',
  card_not_eligible_domestic_money_transfer: 'card_not_supported',
  card_not_eligible_domestic_non_money_transfer: 'card_not_supported',
  card_not_eligible_domestic_online_gambling: 'card_not_supported',
  card_not_found: 'invalid_payment_method',
  card_number_invalid: 'invalid_number',
  card_number_required: 'invalid_payment_method',
  channel_details_invalid: 'account',
  channel_url_missing: 'account',
  charge_details_invalid: 'request',
  city_invalid: 'request',
  country_address_invalid: 'request',
  country_invalid: 'request',
  country_phone_code_invalid: 'request',
  country_phone_code_length_invalid: 'request',
  currency_invalid: 'currency_not_supported',
  currency_required: 'request',
  customer_already_exists: 'request',
  customer_email_invalid: 'request',
  customer_id_invalid: 'request',
  customer_not_found: 'request',
  customer_number_invalid: 'request',
  customer_plan_edit_failed: 'request',
  customer_plan_id_invalid: 'request',
  cvv_invalid: 'incorrect_cvc',
  email_in_use: 'request',
  email_invalid: 'request',
  email_required: 'request',
  endpoint_invalid: 'request',
  expiry_date_format_invalid: 'invalid_expiry',
  fail_url_invalid: 'request',
  instrument_not_found: 'invalid_payment_method',
  ip_address_invalid: 'request',
  issuer_network_unavailable: 'issuer_unavailable',
  metadata_key_invalid: 'request',
  no_authorization_enabled_processors_available: 'method_not_supported',
  parameter_invalid: 'request',
  payment_expired: 'expired',
  payment_invalid: 'request',
  payment_method_invalid: 'method_not_supported',
  payment_method_not_supported: 'method_not_supported',
  payment_source_required: 'request',
  payment_type_invalid: 'request',
  phone_number_invalid: 'request',
  phone_number_length_invalid: 'request',
  previous_payment_id_invalid: 'invalid_payment_method',
  processing_channel_id_invalid: 'account',
  processing_channel_id_required: 'account',
  // Not a refusal of the request: the payment was tried, and what became of it is not said.
  processing_error: UNDECIDED,
  processing_key_required: 'request',
  processing_value_required: 'request',
  recurring_plan_exists: 'request',
  recurring_plan_not_exist: 'request',
  recurring_plan_removal_failed: 'request',
  refund_amount_exceeds_balance: 'request',
  refund_authorization_declined: 'request',
  request_invalid: 'request',
  request_json_invalid: 'request',
  risk_enabled_required: 'request',
  server_api_not_allowed: 'account',
  source_email_invalid: 'request',
  source_email_required: 'request',
  source_id_invalid: 'invalid_payment_method',
  source_id_or_email_required: 'request',
  source_id_required: 'request',
  source_id_unknown: 'invalid_payment_method',
  source_invalid: 'invalid_payment_method',
  source_or_destination_required: 'request',
  source_token_invalid: 'invalid_payment_method',
  source_token_required: 'request',
  source_token_type_invalid: 'invalid_payment_method',
  source_token_type_required: 'request',
  source_type_invalid: 'method_not_supported',
  source_type_required: 'request',
  sub_entities_count_invalid: 'request',
  success_url_invalid: 'request',
  success_url_required: 'request',
  token_data_invalid: 'invalid_payment_method',
  token_expired: 'invalid_payment_method',
  token_in_use: 'invalid_payment_method',
  token_invalid: 'invalid_payment_method',
  token_required: 'request',
  token_type_invalid: 'invalid_payment_method',
  token_type_required: 'request',
  token_used: 'invalid_payment_method',
  velocity_amount_limit_exceeded: 'limit_exceeded',
  velocity_count_limit_exceeded: 'limit_exceeded',
  void_amount_invalid: 'request',
  zip_invalid: 'request',
};

/** A refund's `response_code` → ours, where it says why. 50003 is documented for refunds, the others for all actions. */
export const REFUND_REASONS: Readonly<Record<string, RefundFailureCode>> = {
  20014: 'invalid_account',
  20051: 'insufficient_balance',
  20056: 'invalid_account',
  20109: 'already_refunded',
  20111: 'already_refunded',
  20158: 'expired',
  30015: 'invalid_account',
  30046: 'invalid_account',
  50003: 'insufficient_balance',
  50280: 'insufficient_balance',
};

/** What a declined payment says about its decline. */
type DeclineFacts = {
  readonly code: string | null | undefined;
  readonly recommendation?: string | null | undefined;
  readonly networkAdvice?: string | null | undefined;
  readonly authentication?: string | null | undefined;
  readonly authenticationReason?: string | null | undefined;
};

/** Only what looks like a response code is passed on: nothing a message could carry. */
const responseCode = (code: string | null | undefined): string | null =>
  code && /^[1-9]\d{2}[0-9A-Z]{2}$/.test(code) ? code : null;

/** Checkout.com's decline. Without a code the authentication's result is the reason, if it failed. */
export function readDecline(facts: DeclineFacts): Decline | typeof UNDECIDED {
  const advice = strictest(adviceIn(RECOMMENDATIONS, facts.recommendation), mastercardAdvice(facts.networkAdvice));
  const reason = responseCode(facts.code);
  if (reason === null) return withAdvice(authenticationDecline(facts) ?? unknownDecline(), advice);
  const meaning = lookUp(REASONS, reason) ?? lookUp(RANGES, reason.slice(0, 1));
  const decidedByAdvice = advice === UNKNOWN_ADVICE ? undefined : advice && lookUp(DECIDED_BY_ADVICE, reason);
  return readReason(decidedByAdvice ?? meaning, reason, advice);
}

function authenticationDecline({ authentication, authenticationReason }: DeclineFacts): Decline | undefined {
  const result = lookUp(AUTHENTICATIONS, authentication);
  if (result === undefined || result === 'passed') return undefined;
  const decline = readReason(lookUp(AUTHENTICATION_REASONS, authenticationReason) ?? result, null);
  return decline === UNDECIDED ? undefined : decline;
}

/** The classes of advice, beginning with the one that allows least. */
const STRICTNESS: readonly Advice[] = ['never', 'new_method', 'fix_input', 'retry_same_later', UNKNOWN_ADVICE];

/** Checkout.com's and the network's advice may differ. */
const strictest = (...advice: readonly (Advice | undefined)[]): Advice | undefined =>
  STRICTNESS.find((each) => advice.includes(each));

const OUR_FAULTS: ReadonlySet<unknown> = new Set(['request', 'account', undefined]);

/** A request refused for what the customer can change: a decline, and not a configuration error. */
export function requestDecline(status: number, codes: readonly string[]): Decline | typeof UNDECIDED | undefined {
  if (status !== 422) return undefined;
  // `processing_error` is a type of errors too, which stands last. There it adds nothing to a code that we know.
  const named = codes.filter(
    (code, n) => n === 0 || lookUp(ERROR_CODES, code) !== UNDECIDED || !codes.slice(0, n).some(isListed),
  );
  const code = named.find((each) => !OUR_FAULTS.has(lookUp(ERROR_CODES, each)));
  const meaning = lookUp(ERROR_CODES, code);
  if (code === undefined || meaning === undefined || meaning === 'request' || meaning === 'account') return undefined;
  return readReason(meaning, code);
}

const isListed = (code: string): boolean => lookUp(ERROR_CODES, code) !== undefined;

export const isAccountError = (code: string): boolean => lookUp(ERROR_CODES, code) === 'account';

/** Why a refund failed; undecided while the bank works on it. */
export function readRefundDecline(code: string | null | undefined): RefundDecline | typeof UNDECIDED {
  const reason = responseCode(code);
  if (lookUp(REASONS, reason) === UNDECIDED) return UNDECIDED;
  return refundDecline(lookUp(REFUND_REASONS, reason) ?? 'refund_declined', reason);
}
