import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import { declineFor, knownDecline, type StripeDecline } from '#lib/simulators/stripe/declines.ts';

/** How a payment method behaves. `decline` is what comes at once, or after authentication where that is asked. */
export type TestMethod = {
  readonly type: string;
  readonly brand: string;
  readonly last4: string;
  /** `on_session`: saved with the customer's authentication, which also covers off-session charges. */
  readonly authenticate: boolean | 'on_session';
  readonly pending: boolean;
  readonly decline: StripeDecline | null;
  readonly refunds: 'at_once' | 'pending';
  /** Given by Stripe's own library, which authenticates the customer itself. */
  readonly byLibrary?: true;
};

const CARD: TestMethod = {
  type: 'card',
  brand: 'visa',
  last4: '4242',
  authenticate: false,
  pending: false,
  decline: null,
  refunds: 'at_once',
};

const card = (last4: string, change: Partial<TestMethod> = {}): TestMethod => ({ ...CARD, last4, ...change });
const declining = (last4: string, code: Parameters<typeof declineFor>[0], authenticate = false): TestMethod =>
  card(last4, { decline: declineFor(code), authenticate });

/** Stripe's documented test payment methods, without `pm_card_` and, for declines, without `visa_`. */
const DOCUMENTED: Readonly<Record<string, TestMethod>> = {
  visa: CARD,
  visa_debit: card('5556'),
  mastercard: card('4444', { brand: 'mastercard' }),
  mastercard_debit: card('8210', { brand: 'mastercard' }),
  mastercard_prepaid: card('5100', { brand: 'mastercard' }),
  amex: card('8431', { brand: 'amex' }),
  discover: card('9424', { brand: 'discover' }),
  diners: card('5904', { brand: 'diners' }),
  jcb: card('0505', { brand: 'jcb' }),
  unionpay: card('0005', { brand: 'unionpay' }),
  bypassPending: card('0077'),
  bypassPendingInternational: card('3720'),
  chargeDeclined: declining('0002', 'card_declined'),
  chargeDeclinedInsufficientFunds: declining('9995', 'insufficient_funds'),
  chargeDeclinedLostCard: declining('9987', 'lost_card'),
  chargeDeclinedStolenCard: declining('9979', 'stolen_card'),
  chargeDeclinedExpiredCard: declining('0069', 'expired_card'),
  chargeDeclinedIncorrectCvc: declining('0127', 'incorrect_cvc'),
  chargeDeclinedProcessingError: declining('0119', 'processing_error'),
  chargeDeclinedIncorrectNumber: declining('4241', 'invalid_number'),
  chargeDeclinedVelocityLimitExceeded: declining('6975', 'limit_exceeded'),
  chargeDeclinedFraudulent: declining('0019', 'fraud_suspected'),
  chargeCustomerFail: declining('0341', 'card_declined'),
  radarBlock: declining('0019', 'fraud_suspected'),
  riskLevelElevated: card('9235'),
  riskLevelHighest: declining('4954', 'fraud_suspected'),
  cvcCheckFail: card('0101'),
  avsFail: card('0010'),
  avsLine1Fail: card('0028'),
  avsZipFail: card('0036'),
  avsUnchecked: card('0044'),
  createDispute: card('0259'),
  createDisputeProductNotReceived: card('2685'),
  createDisputeInquiry: card('1976'),
  createIssuerFraudRecord: card('5423'),
  pendingRefund: card('7726', { refunds: 'pending' }),
  refundFail: card('5126'),
  authenticationRequired: card('3184', { authenticate: true }),
  authenticationRequiredOnSetup: card('3155', { authenticate: true }),
  authenticationRequiredSetupForOffSession: card('0446', { authenticate: 'on_session' }),
  authenticationRequiredChargeDeclinedInsufficientFunds: declining('3178', 'insufficient_funds', true),
  threeDSecureRequired: card('3220', { authenticate: true }),
  threeDSecure2Required: card('3220', { authenticate: true }),
  threeDSecureRequiredChargeDeclined: declining('1629', 'card_declined', true),
  threeDSecureRequiredProcessingError: declining('1632', 'processing_error', true),
  threeDSecureOptional: card('3055'),
};

/** The tokens that every simulator of this host takes. */
function common(token: string): TestMethod | undefined {
  if (token === 'ok') return CARD;
  if (token === 'needs_3ds') return card('3184', { authenticate: true });
  if (token === 'pending') return card('6789', { pending: true, type: 'us_bank_account', brand: 'us_bank_account' });
  const failure = declineAsked(token);
  const decline = failure && knownDecline(failure);
  return decline && card('0002', { decline });
}

/**
 * What a token stands for; undefined where there is no such payment method. `pm_card_<country>` are cards issued there.
 */
export function testMethod(token: string): TestMethod | undefined {
  const name = /^pm_card_(\w+)$/.exec(token)?.[1];
  if (name === undefined) return common(token);
  if (/^[a-z]{2}$/.test(name)) return CARD;
  const plain = name.replace(/^visa_(?=[a-z]+[A-Z]|charge)/, '');
  return Object.hasOwn(DOCUMENTED, plain) ? DOCUMENTED[plain] : undefined;
}

/** Methods whose money is a matter of days. */
const DEBITS: ReadonlySet<string> = new Set([
  'us_bank_account',
  'sepa_debit',
  'bacs_debit',
  'au_becs_debit',
  'acss_debit',
  'nz_bank_account',
]);

/** A method given by its type alone: debits settle later, wallets and banks want the customer first. */
export const methodOfType = (type: string): TestMethod => {
  const pending = DEBITS.has(type);
  return {
    ...CARD,
    type,
    brand: type,
    last4: '6789',
    pending,
    authenticate: !pending && type !== 'card',
    decline: null,
  };
};
