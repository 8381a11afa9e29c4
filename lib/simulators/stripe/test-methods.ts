import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { declineFor, documentedDecline, knownDecline, type StripeDecline } from '#lib/simulators/stripe/declines.ts';
import { invalid, resourceMissing } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, textAt } from '#lib/simulators/stripe/form.ts';

/** How a payment method behaves. `decline` comes at once, or after the authentication if that is required. */
export type TestMethod = {
  readonly type: string;
  readonly brand: string;
  readonly last4: string;
  /** `on_session`: saved with the customer's authentication, which also covers off-session charges. */
  readonly authenticate: boolean | 'on_session';
  readonly pending: boolean;
  readonly decline: StripeDecline | null;
  readonly refunds: 'at_once' | 'pending';
  readonly country: string;
  readonly funding: 'credit' | 'debit' | 'prepaid';
  readonly checks: {
    readonly address_line1_check: string;
    readonly address_postal_code_check: string;
    readonly cvc_check: string;
  } | null;
  /** A method that a customer has kept has its id for good. */
  readonly id?: string;
  /** Created by Stripe's library, which authenticates the customer itself. */
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
  country: 'US',
  funding: 'credit',
  checks: null,
};

/** The checks of an address that was given; `null`: none was. */
const checks = (line1: string, postalCode: string, cvc = 'pass'): TestMethod['checks'] => ({
  address_line1_check: line1,
  address_postal_code_check: postalCode,
  cvc_check: cvc,
});

const card = (last4: string, change: Partial<TestMethod> = {}): TestMethod => ({ ...CARD, last4, ...change });
const declinedCard = (last4: string, code: Parameters<typeof declineFor>[0], authenticate = false): TestMethod =>
  card(last4, { decline: declineFor(code), authenticate });

/** Stripe's documented test payment methods, without `pm_card_` and, for declines, without `visa_`. */
const DOCUMENTED_CARDS: Readonly<Record<string, TestMethod>> = {
  visa: CARD,
  visa_debit: card('5556', { funding: 'debit' }),
  mastercard: card('4444', { brand: 'mastercard' }),
  mastercard_debit: card('8210', { brand: 'mastercard', funding: 'debit' }),
  mastercard_prepaid: card('5100', { brand: 'mastercard', funding: 'prepaid' }),
  amex: card('8431', { brand: 'amex' }),
  discover: card('9424', { brand: 'discover' }),
  diners: card('5904', { brand: 'diners' }),
  jcb: card('0505', { brand: 'jcb' }),
  unionpay: card('0005', { brand: 'unionpay' }),
  bypassPending: card('0077'),
  bypassPendingInternational: card('3720'),
  chargeDeclined: declinedCard('0002', 'card_declined'),
  chargeDeclinedInsufficientFunds: declinedCard('9995', 'insufficient_funds'),
  chargeDeclinedLostCard: declinedCard('9987', 'lost_card'),
  chargeDeclinedStolenCard: declinedCard('9979', 'stolen_card'),
  chargeDeclinedExpiredCard: declinedCard('0069', 'expired_card'),
  chargeDeclinedIncorrectCvc: declinedCard('0127', 'incorrect_cvc'),
  chargeDeclinedProcessingError: declinedCard('0119', 'processing_error'),
  chargeDeclinedIncorrectNumber: declinedCard('4241', 'invalid_number'),
  chargeDeclinedVelocityLimitExceeded: declinedCard('6975', 'limit_exceeded'),
  chargeDeclinedFraudulent: declinedCard('0019', 'fraud_suspected'),
  chargeCustomerFail: declinedCard('0341', 'card_declined'),
  radarBlock: declinedCard('0019', 'fraud_suspected'),
  riskLevelElevated: card('9235'),
  riskLevelHighest: declinedCard('4954', 'fraud_suspected'),
  cvcCheckFail: card('0101', { checks: checks('pass', 'pass', 'fail') }),
  avsFail: card('0010', { checks: checks('fail', 'fail') }),
  avsLine1Fail: card('0028', { checks: checks('fail', 'pass') }),
  avsZipFail: card('0036', { checks: checks('pass', 'fail') }),
  avsUnchecked: card('0044', { checks: checks('unavailable', 'unavailable') }),
  createDispute: card('0259'),
  createDisputeProductNotReceived: card('2685'),
  createDisputeInquiry: card('1976'),
  createIssuerFraudRecord: card('5423'),
  pendingRefund: card('7726', { refunds: 'pending' }),
  refundFail: card('5126'),
  authenticationRequired: card('3184', { authenticate: true }),
  authenticationRequiredOnSetup: card('3155', { authenticate: true }),
  authenticationRequiredSetupForOffSession: card('0446', { authenticate: 'on_session' }),
  authenticationRequiredChargeDeclinedInsufficientFunds: declinedCard('3178', 'insufficient_funds', true),
  threeDSecureRequired: card('3220', { authenticate: true }),
  threeDSecure2Required: card('3220', { authenticate: true }),
  threeDSecureRequiredChargeDeclined: declinedCard('1629', 'card_declined', true),
  threeDSecureRequiredProcessingError: declinedCard('1632', 'processing_error', true),
  threeDSecureOptional: card('3055'),
};

/** The test tokens that every simulator accepts, and `decline_` with a decline code of Stripe's own. */
function testToken(token: string): TestMethod | undefined {
  if (token === 'ok') return CARD;
  if (token === 'needs_3ds') return card('3184', { authenticate: true });
  if (token === 'pending') return card('6789', { pending: true, type: 'us_bank_account', brand: 'us_bank_account' });
  const failure = declineCodeIn(token);
  const decline = (failure && knownDecline(failure)) ?? documentedDecline(token.replace(/^decline_/, ''));
  return decline && token.startsWith('decline_') ? card('0002', { decline }) : undefined;
}

/** The payment method of a token; undefined if unknown. `pm_card_<country>` is a card issued there. */
export function testMethod(token: string): TestMethod | undefined {
  const name = /^pm_card_(\w+)$/.exec(token)?.[1];
  if (name === undefined) return testToken(token);
  if (/^[a-z]{2}$/.test(name)) return { ...CARD, country: name.toUpperCase() };
  const plain = name.replace(/^visa_(?=[a-z]+[A-Z]|charge)/, '');
  return Object.hasOwn(DOCUMENTED_CARDS, plain) ? DOCUMENTED_CARDS[plain] : undefined;
}

/** Methods that settle within days. */
const DEBITS: ReadonlySet<string> = new Set([
  'us_bank_account',
  'sepa_debit',
  'bacs_debit',
  'au_becs_debit',
  'acss_debit',
  'nz_bank_account',
]);

/** A method by its type: debits settle later, wallets and banks require authentication. */
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

const RAW_CARD_MESSAGE =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use ' +
  'test tokens that map to the test card you are using, see https://stripe.com/docs/testing.';

/** The payment method in the parameters; null if there is none. */
export function methodIn(input: Form): TestMethod | null {
  const id = textAt(input, 'payment_method');
  if (id !== null) {
    const method = testMethod(id);
    if (!method) throw resourceMissing('PaymentMethod', id, 'payment_method', 400);
    return method;
  }
  const confirmation = textAt(input, 'confirmation_token');
  if (confirmation !== null) {
    const method = testMethod(confirmation.replace(/^ctoken_/, ''));
    if (!method) throw resourceMissing('confirmation_token', confirmation, 'confirmation_token', 400);
    return { ...method, byLibrary: true };
  }
  const data = formAt(input, 'payment_method_data');
  const type = textAt(data, 'type');
  if (Object.keys(data).length === 0) return null;
  if (type === null)
    throw invalid('Missing required param: payment_method_data[type].', {
      param: 'payment_method_data[type]',
      code: 'parameter_missing',
    });
  if (textAt(data, 'card', 'number') !== null)
    throw invalid(RAW_CARD_MESSAGE, { param: 'payment_method_data[card][number]' });
  return methodOfType(type);
}
