import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import {
  adviceCode,
  adviceIn,
  lookUp,
  MASTERCARD_ADVICE,
  type ReasonTable,
  readReason,
  UNDECIDED,
  unknownDecline,
} from '#shared/psp/kit/declines.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';
import type { Capture, Order, PaypalError } from '#shared/psp/paypal/schema.ts';

/** Passes on only words that look like PayPal's codes, never text from a message. */
export const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[A-Za-z0-9_]{1,64}$/);

const issuesOf = ({ details }: PaypalError): readonly string[] =>
  (details ?? []).map(({ issue }) => codeOf(issue)).filter((issue) => issue !== null);

/** The issue of a refusal that decides: one that forbids every further try, or else the first. */
export function issueOf(error: PaypalError): string | null {
  const issues = issuesOf(error);
  return issues.find(isFinal) ?? issues[0] ?? null;
}

function isFinal(issue: string): boolean {
  const meaning = lookUp(ISSUES, issue);
  const decline = meaning && readReason(meaning, issue);
  return decline !== undefined && decline !== UNDECIDED && decline.retry === 'never';
}

/**
 * `processor_response.response_code` of a declined capture → ours; with a class where it is narrower or wider than
 * usual. The whole list of PayPal's OpenAPI file (payments v2) and of its server SDK 2.5.0, read 2026-11, in their
 * order. The comments are PayPal's names. Codes that speak of an approval or of a reversal are undecided: the bank may
 * hold the money. A name that says too little stays at PayPal.
 */
export const RESPONSE_CODES: ReasonTable = {
  '0000': UNDECIDED, // APPROVED
  '00N7': 'incorrect_cvc', // CVV2_FAILURE_POSSIBLE_RETRY_WITH_CVV
  '0100': 'call_issuer', // REFERRAL
  '0390': 'invalid_account', // ACCOUNT_NOT_FOUND
  '0500': 'do_not_honor', // DO_NOT_HONOR
  '0580': 'transaction_not_allowed', // UNAUTHORIZED_TRANSACTION
  '0800': UNDECIDED, // BAD_RESPONSE_REVERSAL_REQUIRED
  '0880': ['processing_error', 'retry_same_later'], // CRYPTOGRAPHIC_FAILURE
  '0890': 'incorrect_pin', // UNACCEPTABLE_PIN
  '0960': 'processing_error', // SYSTEM_MALFUNCTION
  '0R00': 'authorization_revoked', // CANCELLED_PAYMENT: stopped by the customer at the bank
  '1000': UNDECIDED, // PARTIAL_AUTHORIZATION
  '10BR': 'card_declined', // ISSUER_REJECTED
  '1300': 'invalid_configuration', // INVALID_DATA_FORMAT
  '1310': 'amount_not_supported', // INVALID_AMOUNT
  '1312': 'transaction_not_allowed', // INVALID_TRANSACTION_CARD_ISSUER_ACQUIRER
  '1317': 'invalid_configuration', // INVALID_CAPTURE_DATE
  '1320': 'currency_not_supported', // INVALID_CURRENCY_CODE
  '1330': 'invalid_account', // INVALID_ACCOUNT
  '1335': 'invalid_account', // INVALID_ACCOUNT_RECURRING
  '1340': 'invalid_configuration', // INVALID_TERMINAL
  '1350': 'invalid_configuration', // INVALID_MERCHANT
  '1352': 'restricted_card', // RESTRICTED_OR_INACTIVE_ACCOUNT
  '1360': 'invalid_configuration', // BAD_PROCESSING_CODE
  '1370': 'invalid_configuration', // INVALID_MCC
  '1380': 'invalid_expiry', // INVALID_EXPIRATION
  '1382': 'incorrect_cvc', // INVALID_CARD_VERIFICATION_VALUE
  '1384': ['processing_error', 'retry_same_later'], // INVALID_LIFE_CYCLE_OF_TRANSACTION
  '1390': ['processing_error', 'retry_same_later'], // INVALID_ORDER
  '1393': ['transaction_not_allowed', 'never'], // TRANSACTION_CANNOT_BE_COMPLETED: against the law
  '5100': 'card_declined', // GENERIC_DECLINE
  '5110': 'incorrect_cvc', // CVV2_FAILURE
  '5120': 'insufficient_funds', // INSUFFICIENT_FUNDS
  '5130': 'incorrect_pin', // INVALID_PIN
  '5135': ['incorrect_pin', 'new_method'], // DECLINED_PIN_TRY_EXCEEDED
  '5140': 'invalid_account', // CARD_CLOSED
  '5150': 'restricted_card', // PICKUP_CARD_SPECIAL_CONDITIONS
  '5160': 'transaction_not_allowed', // UNAUTHORIZED_USER
  '5170': ['card_declined', 'fix_input'], // AVS_FAILURE
  '5180': 'invalid_account', // INVALID_OR_RESTRICTED_CARD
  '5190': ['card_declined', 'fix_input'], // SOFT_AVS
  '5200': ['card_declined', 'fix_input'], // DUPLICATE_TRANSACTION: a failover could charge the customer twice
  '5210': 'transaction_not_allowed', // INVALID_TRANSACTION
  '5400': 'expired_card', // EXPIRED_CARD
  '5500': 'incorrect_pin', // INCORRECT_PIN_REENTER
  '5650': 'authentication_required', // DECLINED_SCA_REQUIRED
  '5700': 'transaction_not_allowed', // TRANSACTION_NOT_PERMITTED
  '5710': 'limit_exceeded', // TX_ATTEMPTS_EXCEED_LIMIT
  '5800': UNDECIDED, // REVERSAL_REJECTED
  '5900': ['invalid_payment_method', 'fix_input'], // INVALID_ISSUE
  '5910': ['issuer_unavailable', 'never'], // ISSUER_NOT_AVAILABLE_NOT_RETRIABLE
  '5920': 'issuer_unavailable', // ISSUER_NOT_AVAILABLE_RETRIABLE
  '5930': 'call_issuer', // CARD_NOT_ACTIVATED
  '5950': ['invalid_payment_method', 'fix_input'], // DECLINED_DUE_TO_UPDATED_ACCOUNT: a new card was issued
  '6300': 'invalid_account', // ACCOUNT_NOT_ON_FILE
  '7600': UNDECIDED, // APPROVED_NON_CAPTURE
  '7700': 'authentication_failed', // ERROR_3DS
  '7710': 'authentication_failed', // AUTHENTICATION_FAILED
  '7800': 'card_not_supported', // BIN_ERROR
  '7900': 'incorrect_pin', // PIN_ERROR
  '8000': 'processing_error', // PROCESSOR_SYSTEM_ERROR
  '8010': 'processing_error', // HOST_KEY_ERROR
  '8020': 'invalid_configuration', // CONFIGURATION_ERROR
  '8030': 'method_not_supported', // UNSUPPORTED_OPERATION
  '8100': ['processing_error', 'retry_same_later'], // FATAL_COMMUNICATION_ERROR: the bank may have decided
  '8110': 'processing_error', // RETRIABLE_COMMUNICATION_ERROR
  '8220': 'processing_error', // SYSTEM_UNAVAILABLE
  '9100': ['try_again_later', 'retry_other_psp'], // DECLINED_PLEASE_RETRY
  '9500': 'fraud_suspected', // SUSPECTED_FRAUD
  '9510': 'fraud_suspected', // SECURITY_VIOLATION
  '9520': 'lost_card', // LOST_OR_STOLEN
  '9530': 'restricted_card', // HOLD_CALL_CENTER
  '9540': 'restricted_card', // REFUSED_CARD
  '9600': ['card_declined', 'retry_same_later'], // UNRECOGNIZED_RESPONSE_CODE
  PCNR: 'authentication_required', // CONTINGENCIES_NOT_RESOLVED
  PCVV: 'incorrect_cvc', // CVV_FAILURE
  PP06: 'invalid_account', // ACCOUNT_CLOSED
  PPRN: ['card_declined', 'never'], // REATTEMPT_NOT_PERMITTED
  PPAD: ['card_declined', 'fix_input'], // BILLING_ADDRESS
  PPAB: 'restricted_card', // ACCOUNT_BLOCKED_BY_ISSUER
  PPAE: 'method_not_supported', // AMEX_DISABLED
  PPAG: 'transaction_not_allowed', // ADULT_GAMING_UNSUPPORTED
  PPAI: 'amount_not_supported', // AMOUNT_INCOMPATIBLE
  PPAR: ['card_declined', 'retry_same_later'], // AUTH_RESULT
  PPAU: 'invalid_configuration', // MCC_CODE
  PPAV: ['card_declined', 'fix_input'], // ARC_AVS
  PPAX: 'limit_exceeded', // AMOUNT_EXCEEDED
  PPBG: 'transaction_not_allowed', // BAD_GAMING
  PPC2: 'incorrect_cvc', // ARC_CVV
  PPCE: 'invalid_configuration', // CE_REGISTRATION_INCOMPLETE
  PPCO: 'card_not_supported', // COUNTRY
  PPCR: ['card_declined', 'retry_same_later'], // CREDIT_ERROR
  PPCT: 'card_not_supported', // CARD_TYPE_UNSUPPORTED
  PPCU: 'currency_not_supported', // CURRENCY_USED_INVALID
  PPD3: 'authentication_failed', // SECURE_ERROR_3DS
  PPDC: 'method_not_supported', // DCC_UNSUPPORTED
  PPDI: 'card_not_supported', // DINERS_REJECT
  PPDV: ['card_declined', 'retry_same_later'], // AUTH_MESSAGE
  PPDT: 'limit_exceeded', // DECLINE_THRESHOLD_BREACH
  PPEF: 'expired_card', // EXPIRED_FUNDING_INSTRUMENT
  PPEL: 'limit_exceeded', // EXCEEDS_FREQUENCY_LIMIT
  PPER: 'processing_error', // INTERNAL_SYSTEM_ERROR
  PPEX: 'invalid_expiry', // EXPIRY_DATE
  PPFE: ['invalid_payment_method', 'fix_input'], // FUNDING_SOURCE_ALREADY_EXISTS
  PPFI: 'invalid_payment_method', // INVALID_FUNDING_INSTRUMENT
  PPFR: 'restricted_card', // RESTRICTED_FUNDING_INSTRUMENT
  PPFV: 'invalid_configuration', // FIELD_VALIDATION_FAILED
  PPGR: 'transaction_not_allowed', // GAMING_REFUND_ERROR
  PPH1: ['card_declined', 'retry_same_later'], // H1_ERROR
  PPIF: UNDECIDED, // IDEMPOTENCY_FAILURE: an earlier call under the same key may have charged
  PPII: 'invalid_configuration', // INVALID_INPUT_FAILURE
  PPIM: ['card_declined', 'fix_input'], // ID_MISMATCH
  PPIT: ['processing_error', 'retry_same_later'], // INVALID_TRACE_ID
  PPLR: UNDECIDED, // LATE_REVERSAL
  PPLS: ['card_declined', 'retry_same_later'], // LARGE_STATUS_CODE
  PPMB: 'invalid_configuration', // MISSING_BUSINESS_RULE_OR_DATA
  PPMC: 'restricted_card', // BLOCKED_MASTERCARD
  PPMD: ['card_declined', 'retry_same_later'], // deprecated
  PPNC: ['card_declined', 'retry_same_later'], // NOT_SUPPORTED_NRC
  PPNL: 'limit_exceeded', // EXCEEDS_NETWORK_FREQUENCY_LIMIT
  PPNM: 'invalid_configuration', // NO_MID_FOUND
  PPNT: ['processing_error', 'retry_same_later'], // NETWORK_ERROR: the bank may have decided
  PPPH: ['card_declined', 'fix_input'], // NO_PHONE_FOR_DCC_TRANSACTION
  PPPI: 'invalid_configuration', // INVALID_PRODUCT
  PPPM: 'invalid_payment_method', // INVALID_PAYMENT_METHOD
  PPQC: 'transaction_not_allowed', // QUASI_CASH_UNSUPPORTED
  PPRE: ['card_declined', 'retry_same_later'], // UNSUPPORT_REFUND_ON_PENDING_BC
  PPRF: UNDECIDED, // INVALID_PARENT_TRANSACTION_STATUS: it may be captured already
  PPRR: 'invalid_configuration', // MERCHANT_NOT_REGISTERED
  PPS0: ['card_declined', 'retry_same_later'], // BANKAUTH_ROW_MISMATCH
  PPS1: UNDECIDED, // BANKAUTH_ROW_SETTLED
  PPS2: ['card_declined', 'retry_same_later'], // BANKAUTH_ROW_VOIDED
  PPS3: ['card_declined', 'retry_same_later'], // BANKAUTH_EXPIRED
  PPS4: ['card_declined', 'retry_same_later'], // CURRENCY_MISMATCH
  PPS5: ['card_declined', 'retry_same_later'], // CREDITCARD_MISMATCH
  PPS6: ['card_declined', 'retry_same_later'], // AMOUNT_MISMATCH
  PPSC: 'fraud_suspected', // ARC_SCORE
  PPSD: ['card_declined', 'retry_same_later'], // STATUS_DESCRIPTION
  PPSE: ['card_declined', 'retry_same_later'], // AMEX_DENIED
  PPTE: 'invalid_payment_method', // VERIFICATION_TOKEN_EXPIRED
  PPTF: ['processing_error', 'retry_same_later'], // INVALID_TRACE_REFERENCE
  PPTI: ['processing_error', 'retry_same_later'], // INVALID_TRANSACTION_ID
  PPTR: 'authorization_revoked', // VERIFICATION_TOKEN_REVOKED
  PPTT: 'method_not_supported', // TRANSACTION_TYPE_UNSUPPORTED
  PPTV: 'invalid_payment_method', // INVALID_VERIFICATION_TOKEN
  PPUA: 'transaction_not_allowed', // USER_NOT_AUTHORIZED
  PPUC: 'currency_not_supported', // CURRENCY_CODE_UNSUPPORTED
  PPUE: 'method_not_supported', // UNSUPPORT_ENTITY
  PPUI: 'method_not_supported', // UNSUPPORT_INSTALLMENT
  PPUP: 'invalid_configuration', // UNSUPPORT_POS_FLAG
  PPUR: UNDECIDED, // UNSUPPORTED_REVERSAL
  PPVC: 'currency_not_supported', // VALIDATE_CURRENCY
  PPVE: 'invalid_configuration', // VALIDATION_ERROR
  PPVT: 'invalid_configuration', // VIRTUAL_TERMINAL_UNSUPPORTED
};

/**
 * The card network's `payment_advice_code`, which wins over the response code. The whole list of PayPal's server SDK
 * 2.5.0, read 2026-11: 04 token requirements, 22 the merchant does not qualify, 24 to 30 after one hour to ten days,
 * 40 a prepaid card, 43 a virtual number.
 */
export const ADVICE: Readonly<Record<string, DeclineClass>> = {
  '01': 'fix_input',
  '02': 'retry_same_later',
  '03': 'never',
  '04': 'new_method',
  '21': 'never',
  '22': 'new_method',
  '24': 'retry_same_later',
  '25': 'retry_same_later',
  '26': 'retry_same_later',
  '27': 'retry_same_later',
  '28': 'retry_same_later',
  '29': 'retry_same_later',
  '30': 'retry_same_later',
  '40': 'new_method',
  '43': 'new_method',
};

/** PayPal passes the network's code on, so that one which it does not list yet may come. */
const NETWORK_ADVICE: typeof ADVICE = { ...MASTERCARD_ADVICE, ...ADVICE };

/**
 * Visa's 02 is another one: the cardholder stopped this very payment, which must not be sent again. So it counts where
 * the network is not said.
 */
const VISA_ADVICE: typeof ADVICE = { ...NETWORK_ADVICE, '02': 'never' };

/** Both networks: the cardholder ended the recurring agreement. A code that names a reason is more precise. */
const AGREEMENT_ENDED = '21';

const UNSPECIFIC_CODES: ReadonlySet<FailureCode> = new Set(['card_declined', 'do_not_honor']);

/**
 * `details[].issue` of a refusal about the payer, the method or the amount → ours. With the four sets below, it holds
 * every issue that PayPal's OpenAPI files (orders v2, payments v2), its error pages and its WooCommerce plugin name,
 * read 2026-11.
 */
export const ISSUES: ReasonTable = {
  INSTRUMENT_DECLINED: ['card_declined', 'new_method'],
  PAYMENT_DENIED: ['card_declined', 'new_method'],
  PAYMENT_SOURCE_DECLINED_BY_PROCESSOR: ['card_declined', 'new_method'],
  ALIAS_DECLINED_BY_PROCESSOR: ['card_declined', 'new_method'],
  PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED: ['card_declined', 'fix_input'],
  BILLING_ADDRESS_INVALID: ['card_declined', 'fix_input'],
  DECLINED_DUE_TO_RELATED_TXN: ['card_declined', 'retry_same_later'],
  AUTHORIZATION_DENIED: ['card_declined', 'retry_same_later'],
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: ['card_declined', 'new_method'],
  TRANSACTION_REFUSED: ['card_declined', 'new_method'],
  PAYER_CANNOT_PAY: ['transaction_not_allowed', 'new_method'],
  PAYER_COUNTRY_NOT_SUPPORTED: 'transaction_not_allowed',
  DOMESTIC_TRANSACTION_REQUIRED: 'transaction_not_allowed',
  COMPLIANCE_VIOLATION: ['transaction_not_allowed', 'never'],
  PAYER_ACCOUNT_RESTRICTED: ['invalid_account', 'new_method'],
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: ['invalid_account', 'new_method'],
  PAYER_ACTION_REQUIRED: 'authentication_required',
  PAYER_CONSENT_REQUIRED: 'authentication_required',
  TRANSACTION_BLOCKED_BY_PAYEE: 'fraud_suspected',
  PAYEE_BLOCKED_TRANSACTION: 'fraud_suspected',
  TRANSACTION_LIMIT_EXCEEDED: 'limit_exceeded',
  TRANSACTION_AMOUNT_EXCEEDS_MONTHLY_MAX_LIMIT: 'limit_exceeded',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: ['limit_exceeded', 'new_method'],
  ORDER_EXPIRED: 'expired',
  AUTHORIZATION_EXPIRED: 'expired',
  CARD_BRAND_NOT_SUPPORTED: 'card_not_supported',
  CARD_TYPE_NOT_SUPPORTED: 'card_not_supported',
  IBAN_COUNTRY_NOT_SUPPORTED: 'card_not_supported',
  CARD_EXPIRED: 'expired_card',
  REFERENCED_CARD_EXPIRED: 'expired_card',
  INVALID_EXPIRY_DATE: 'invalid_expiry',
  INVALID_SECURITY_CODE_LENGTH: 'incorrect_cvc',
  INVALID_IBAN: 'invalid_number',
  CURRENCY_NOT_SUPPORTED: 'currency_not_supported',
  INVALID_CURRENCY_CODE: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_BANK: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE: 'currency_not_supported',
  CURRENCY_NOT_SUPPORTED_FOR_COUNTRY: 'currency_not_supported',
  CANNOT_BE_NEGATIVE: 'amount_not_supported',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount_not_supported',
  DECIMAL_PRECISION: 'amount_not_supported',
  DECIMALS_NOT_SUPPORTED: 'amount_not_supported',
  MAX_VALUE_EXCEEDED: 'amount_not_supported',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'amount_not_supported',
  // The token implies the method: an account without that method takes others.
  BANK_NOT_SUPPORTED_FOR_VERIFICATION: 'method_not_supported',
  COUNTRY_NOT_SUPPORTED_BY_PAYMENT_SOURCE: 'method_not_supported',
  ITEM_CATEGORY_NOT_SUPPORTED_BY_PAYMENT_SOURCE: 'method_not_supported',
  NOT_ELIGIBLE_FOR_TOKEN_PROCESSING: 'method_not_supported',
  NOT_ENABLED_FOR_APPLE_PAY: 'method_not_supported',
  NOT_ENABLED_FOR_BANK_PROCESSING: 'method_not_supported',
  NOT_ENABLED_FOR_CARD_PROCESSING: 'method_not_supported',
  NOT_ENABLED_FOR_GOOGLE_PAY: 'method_not_supported',
  PAYEE_COUNTRY_NOT_SUPPORTED_FOR_PAYMENT_SOURCE: 'method_not_supported',
  PAYEE_NOT_ENABLED_FOR_BANK_PROCESSING: 'method_not_supported',
  PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING: 'method_not_supported',
  PAYMENT_SOURCE_NOT_SUPPORTED: 'method_not_supported',
  SETUP_ERROR_FOR_BANK: 'method_not_supported',
  PAYMENT_SOURCE_CANNOT_BE_USED: 'invalid_payment_method',
  PAYMENT_SOURCE_MISMATCH: 'invalid_payment_method',
  TOKEN_EXPIRED: 'invalid_payment_method',
  TOKEN_ID_NOT_FOUND: 'invalid_payment_method',
  IDENTIFIER_NOT_FOUND: 'invalid_payment_method',
  INVALID_GOOGLE_PAY_TOKEN: 'invalid_payment_method',
  MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE: 'invalid_payment_method',
  BILLING_AGREEMENT_NOT_FOUND: 'invalid_payment_method',
  AGREEMENT_ALREADY_CANCELLED: 'authorization_revoked',
};

/** The merchant's account cannot take payments, or lacks a permission. */
export const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'AUTH_CAPTURE_NOT_ENABLED',
  'CONSENT_NEEDED',
  'INVALID_ACCOUNT_STATUS',
  'PAYEE_ACCOUNT_INVALID',
  'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYEE_ACCOUNT_NOT_SUPPORTED',
  'PAYEE_ACCOUNT_NOT_VERIFIED',
  'PAYEE_ACCOUNT_RESTRICTED',
  'PAYEE_NOT_CONSENTED',
  'PERMISSION_DENIED',
  'PERMISSION_DENIED_FOR_DONATION_ITEMS',
]);

/** The order, capture or authorization is not in a state for the call. The next look-up shows its state. */
export const STATE_ERRORS: ReadonlySet<string> = new Set([
  'AUTHORIZATION_VOIDED',
  'CANNOT_BE_VOIDED',
  'CAPTURE_STATUS_NOT_VALID',
  'MAX_CAPTURE_COUNT_EXCEEDED',
  'ORDER_ALREADY_CAPTURED',
  'ORDER_NOT_APPROVED',
  'ORDER_NOT_SAVED',
  'ORDER_PREVIOUSLY_VOIDED',
  'PENDING_CAPTURE',
  'PREVIOUSLY_VOIDED',
]);

/**
 * Refusals that do not say what an earlier call did. Invoice ids are unique to an attempt or refund, so a known one
 * means that this charge or refund may have been made. What a key gets with another body is not documented.
 */
export const UNCERTAIN_ERRORS: ReadonlySet<string> = new Set([
  'AUTHORIZATION_ALREADY_CAPTURED',
  'DUPLICATE_INVOICE_ID',
  'DUPLICATE_REQUEST_ID',
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_ALREADY_COMPLETED',
  'ORDER_CANNOT_BE_CONFIRMED',
  'ORDER_COMPLETED_OR_VOIDED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'ORDER_IS_PENDING_APPROVAL',
  'PAYMENT_ALREADY_APPROVED',
  'PREVIOUSLY_CAPTURED',
  'PREVIOUS_REQUEST_IN_PROGRESS',
]);

/** Our request is wrong, or asks for what the account lacks. PayPal did nothing. */
export const REQUEST_ERRORS: ReadonlySet<string> = new Set(
  `ACTION_DOES_NOT_MATCH_INTENT AMOUNT_CANNOT_BE_SPECIFIED AMOUNT_CHANGE_NOT_ALLOWED AMOUNT_MISMATCH
  AMOUNT_NOT_PATCHABLE APPLE_PAY_AMOUNT_MISMATCH AUTHORIZATION_AMOUNT_EXCEEDED AUTHORIZATION_CURRENCY_MISMATCH
  AUTH_CAPTURE_CURRENCY_MISMATCH AUTH_CURRENCY_MISMATCH BILLING_AGREEMENT_ID_MISMATCH
  BLIK_ONE_CLICK_MISSING_REQUIRED_PARAMETER CANCEL_URL_REQUIRED CAPTURE_ID_NOT_FOUND CARD_EXPIRY_REQUIRED
  CARD_NUMBER_REQUIRED CITY_REQUIRED CRYPTOGRAM_REQUIRED CURRENCY_MISMATCH DEVICE_DATA_NOT_AVAILABLE
  DONATION_ITEMS_NOT_SUPPORTED DUPLICATE_REFERENCE_ID EMV_DATA_REQUIRED FIELD_NOT_PATCHABLE
  GOOGLE_PAY_GATEWAY_MERCHANT_ID_MISMATCH INCOMPATIBLE_PARAMETER_VALUE INVALID_ARRAY_MAX_ITEMS
  INVALID_ARRAY_MIN_ITEMS INVALID_COUNTRY_CODE INVALID_FX_RATE_ID INVALID_JSON_POINTER_FORMAT INVALID_PARAMETER
  INVALID_PARAMETER_SYNTAX INVALID_PARAMETER_VALUE INVALID_PATCH_OPERATION INVALID_PAYEE_PRICING_TIER_ID
  INVALID_PAYER_ID INVALID_PICKUP_ADDRESS INVALID_PLATFORM_FEES_ACCOUNT INVALID_PLATFORM_FEES_AMOUNT
  INVALID_PREVIOUS_TRANSACTION_REFERENCE INVALID_REQUEST INVALID_RESOURCE_ID INVALID_STRING_LENGTH
  INVALID_STRING_MAX_LENGTH ITEM_SKU_MISMATCH ITEM_TOTAL_MISMATCH ITEM_TOTAL_REQUIRED MALFORMED_REQUEST
  MALFORMED_REQUEST_JSON MAX_AUTHORIZATION_COUNT_EXCEEDED MAX_CAPTURE_AMOUNT_EXCEEDED
  MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS MERCHANT_INITIATED_WITH_MULTIPLE_PURCHASE_UNITS
  MERCHANT_INITIATED_WITH_SECURITY_CODE MISSING_CRYPTOGRAM MISSING_PICKUP_ADDRESS MISSING_PREVIOUS_REFERENCE
  MISSING_REQUIRED_PARAMETER MISSING_SHIPPING_ADDRESS MSP_NOT_SUPPORTED MULTIPLE_ITEM_CATEGORIES
  MULTIPLE_SHIPPING_ADDRESS_NOT_SUPPORTED MULTIPLE_SHIPPING_OPTION_SELECTED MULTIPLE_SHIPPING_TYPE_NOT_SUPPORTED
  MULTI_CURRENCY_ORDER NOT_ELIGIBLE_FOR_PAYPAL_TRANSACTION_ID_PROCESSING NOT_ELIGIBLE_FOR_PNREF_PROCESSING
  NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE NOT_PATCHABLE NOT_SUPPORTED NO_PAYMENT_SOURCE_PROVIDED
  ONE_OF_PARAMETERS_REQUIRED ONE_OF_THE_PARAMETERS_REQUIRED ONLY_ONE_BANK_SOURCE_ALLOWED
  ONLY_ONE_PAYMENT_SOURCE_ALLOWED ORDER_CANNOT_BE_SAVED ORDER_COMPLETE_ON_PAYMENT_APPROVAL
  PARAMETER_VALUE_NOT_SUPPORTED PATCH_PATH_REQUIRED PATCH_VALUE_REQUIRED PAYEE_FX_RATE_ID_CURRENCY_MISMATCH
  PAYEE_FX_RATE_ID_EXPIRED PAYEE_PRICING_TIER_ID_NOT_ENABLED PAYMENT_INSTRUCTION_REQUIRED
  PAYMENT_TYPE_NOT_SUPPORTED_FOR_INTENT PAYPAL_REQUEST_ID_REQUIRED PAYPAL_TRANSACTION_ID_EXPIRED
  PAYPAL_TRANSACTION_ID_NOT_FOUND PLATFORM_FEES_NOT_SUPPORTED PLATFORM_FEE_EXCEEDED PLATFORM_FEE_NOT_ENABLED
  PLATFORM_FEE_PAYEE_CANNOT_BE_SAME_AS_PAYER PNREF_EXPIRED PNREF_NOT_FOUND POSTAL_CODE_REQUIRED
  PREFERRED_PAYMENT_SOURCE_MISMATCH PREFERRED_SHIPPING_OPTION_AMOUNT_MISMATCH
  PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK PREVIOUS_TRANSACTION_REFERENCE_VOIDED REAUTHORIZATION_NOT_SUPPORTED
  REFERENCE_ID_NOT_FOUND REFERENCE_ID_REQUIRED REQUIRED_PARAMETER_FOR_CUSTOMER_INITIATED_PAYMENT
  REQUIRED_PARAMETER_FOR_PAYMENT_SOURCE RETURN_URL_REQUIRED SAVE_ORDER_NOT_SUPPORTED SHIPPING_ADDRESS_INVALID
  SHIPPING_OPTIONS_NOT_SUPPORTED SHIPPING_OPTION_NOT_SELECTED SHIPPING_TYPE_NOT_SUPPORTED_FOR_CLIENT
  TAX_TOTAL_MISMATCH TAX_TOTAL_REQUIRED TRACKER_ID_NOT_FOUND UNSUPPORTED_INTENT
  UNSUPPORTED_INTENT_FOR_PAYMENT_SOURCE UNSUPPORTED_PATCH_PARAMETER_VALUE UNSUPPORTED_PAYMENT_INSTRUCTION
  UNSUPPORTED_PROCESSING_INSTRUCTION UNSUPPORTED_SHIPPING_TYPE VAULT_INSTRUCTION_DUPLICATED
  VAULT_INSTRUCTION_REQUIRED`.split(/\s+/),
);

/** On PayPal's page, the payer can return and pay with something else. */
export const PAYER_CAN_RETRY: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'PAYER_ACTION_REQUIRED',
]);

/** `status_details.reason` of a declined capture that names a reason: the payee's own risk filter. */
const FRAUD_FILTER = 'DECLINED_BY_RISK_FRAUD_FILTERS';

/**
 * The decline of a declined or failed capture, or `undecided`. A capture without a known reason stays at PayPal.
 * `brand`: of the order's card, as the capture itself does not always name it.
 */
export function captureDecline(
  { processor_response: response, status_details: details, network_transaction_reference: network }: Capture,
  brand?: string | null,
): Decline | typeof UNDECIDED {
  if (details?.reason === FRAUD_FILTER) return declineOf('fraud_suspected', FRAUD_FILTER);
  const reason = codeOf(response?.response_code);
  const isVisa = (network?.network ?? brand ?? 'VISA').toUpperCase() === 'VISA';
  const code = adviceCode(response?.payment_advice_code);
  const advice = adviceIn(isVisa ? VISA_ADVICE : NETWORK_ADVICE, response?.payment_advice_code);
  const decline = readReason(lookUp(RESPONSE_CODES, reason), reason, advice);
  if (decline !== UNDECIDED && code === AGREEMENT_ENDED && UNSPECIFIC_CODES.has(decline.code))
    return declineOf('authorization_revoked', reason);
  return decline;
}

/** Malformed or impossible requests. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 422]);

const NOT_DECLINES: readonly ReadonlySet<string>[] = [ACCOUNT_ERRORS, STATE_ERRORS, REQUEST_ERRORS];

/**
 * The decline in a refusal that is about the payer, and not a configuration error. PayPal answers 422 after its
 * business checks, the processor's among them: an issue that is on no list may be about the card, so it stays here.
 */
export function refusalDecline(status: number, error: PaypalError): Decline | undefined {
  const issue = issueOf(error) ?? codeOf(error.name);
  const meaning = REQUEST_STATUSES.has(status) ? lookUp(ISSUES, issue) : undefined;
  const decline = meaning && readReason(meaning, issue);
  if (decline && decline !== UNDECIDED) return decline;
  const isKnown = NOT_DECLINES.some((issues) => issues.has(issue ?? ''));
  return status === 422 && !isKnown ? unknownDecline(issue) : undefined;
}

/** As `refusalDecline`, for a new order. The only PayPal id in its request is that of a saved method. */
export function orderDecline(status: number, error: PaypalError, usedToken: boolean): Decline | undefined {
  const issue = issueOf(error);
  const isAboutTokenOrId =
    status === 404 ? issue === 'INVALID_RESOURCE_ID' : REQUEST_STATUSES.has(status) && isAboutToken(error);
  return (
    (usedToken && isAboutTokenOrId && lookUp(ISSUES, issue) === undefined
      ? declineOf('invalid_payment_method', issue)
      : undefined) ?? refusalDecline(status, error)
  );
}

const isAboutToken = ({ details }: PaypalError): boolean =>
  details?.some(({ field }) => field?.endsWith('/vault_id')) === true;

/**
 * The 3-D Secure results with which PayPal says to go on: enrollment, authentication and liability shift. All others
 * are not captured, as PayPal does not stop us. Source: PayPal's page of response parameters, read 2026-11. One of its
 * pages also knows a liability shift YES, which the API's documents do not.
 */
const MAY_GO_ON: ReadonlySet<string> = new Set(['Y,Y,POSSIBLE', 'Y,A,POSSIBLE', 'N,,NO', 'U,,NO', 'B,,NO']);

/** The bank has refused the payer: nothing can follow. */
const FAILED_STATUSES: ReadonlySet<string> = new Set(['N', 'R']);

/** `open`: a result with which the payer may still authenticate, or be asked again. */
export function authenticationOf({ payment_source: source }: Order): 'may_go_on' | 'open' | 'failed' {
  const result = source?.card?.authentication_result;
  if (result === undefined || result === null) return 'may_go_on';
  const { liability_shift, three_d_secure: details } = result;
  const status = wordOf(details?.authentication_status);
  const words = [wordOf(details?.enrollment_status), status, wordOf(liability_shift)].join(',');
  if (MAY_GO_ON.has(words)) return 'may_go_on';
  return FAILED_STATUSES.has(status) ? 'failed' : 'open';
}

const wordOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
