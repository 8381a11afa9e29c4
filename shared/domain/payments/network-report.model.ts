/** What a check of the card's address or security code has shown. `unchecked`: the issuer did not look. */
export type CheckResult = 'match' | 'mismatch' | 'unchecked';

/** A card, without what could charge it. Names of brands are lower case, such as `cartes_bancaires`. */
export type CardReport = {
  readonly brand?: string;
  readonly last4?: string;
  readonly funding?: 'credit' | 'debit' | 'prepaid';
  /** An ISO 3166 code of two letters. */
  readonly issuer_country?: string;
  readonly exp_month?: number;
  readonly exp_year?: number;
};

/** What the card's network and issuer said of an attempt, as far as its PSP tells. All of it may be shown. */
export type NetworkReport = {
  /** The network's id of the transaction, which later payments of a saved card refer to. */
  readonly network_transaction_id?: string;
  /** The issuer's response code, such as `51` (ISO 8583). */
  readonly network_decline_code?: string;
  /** The network's advice to merchants after a decline, such as `03`: do not try again. */
  readonly advice_code?: string;
  /** `code` is the network's letter. */
  readonly avs?: { readonly code?: string; readonly address?: CheckResult; readonly postal_code?: CheckResult };
  readonly cvc?: CheckResult;
  /** The electronic commerce indicator of 3-D Secure, of two digits. */
  readonly eci?: string;
  /** Whether the issuer bears the loss of a fraud. */
  readonly liability_shift?: boolean;
  readonly card?: CardReport;
};

export const NETWORK_REPORT = [
  'network_transaction_id',
  'network_decline_code',
  'advice_code',
  'avs',
  'cvc',
  'eci',
  'liability_shift',
  'card',
] as const satisfies readonly (keyof NetworkReport)[];

const ONE_OF_CHECK_RESULTS = /^(match|mismatch|unchecked)$/;

/** The form of each field, also of those in `avs` and `card`. A report's field of another form is not stored. */
export const NETWORK_REPORT_FORMS: Readonly<Record<string, RegExp>> = {
  network_transaction_id: /^[!-~]{1,100}$/,
  network_decline_code: /^[!-~]{1,40}$/,
  advice_code: /^[!-~]{1,40}$/,
  code: /^[A-Z0-9]{1,4}$/,
  address: ONE_OF_CHECK_RESULTS,
  postal_code: ONE_OF_CHECK_RESULTS,
  cvc: ONE_OF_CHECK_RESULTS,
  eci: /^\d{2}$/,
  liability_shift: /^(true|false)$/,
  brand: /^[a-z0-9_]{1,40}$/,
  last4: /^\d{4}$/,
  funding: /^(credit|debit|prepaid)$/,
  issuer_country: /^[A-Z]{2}$/,
  exp_month: /^([1-9]|1[0-2])$/,
  exp_year: /^20\d\d$/,
};
