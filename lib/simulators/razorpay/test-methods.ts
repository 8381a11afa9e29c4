import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { declineFor, documentedDecline, type RazorpayDecline } from '#lib/simulators/razorpay/declines.ts';
import { type Fields, objectIn, textIn } from '#lib/simulators/razorpay/requests.ts';

/**
 * How a payment method behaves. `authentication`: where the customer authenticates. `decline` comes at once, or after
 * that.
 */
export type TestMethod = {
  readonly method: string;
  readonly authentication: 'bank' | 'code' | 'app' | null;
  readonly pending: boolean;
  readonly decline: RazorpayDecline | null;
  /** The customer pays the fee beside the price, all of it or a part. Otherwise the merchant bears it. */
  readonly feeBearer?: 'customer' | 'dynamic';
};

const testMethod = (
  method: string,
  authentication: TestMethod['authentication'],
  decline: RazorpayDecline | null = null,
): TestMethod => ({
  method,
  authentication,
  pending: false,
  decline,
});

/** Razorpay's documented test cards. All are of Indian banks, which always require authentication. */
const CARDS: Readonly<Record<string, RazorpayDecline | null>> = {
  '4100280000001007': null,
  '5500670000001002': null,
  '6527658900001005': null,
  '36082800091007': null,
  '340256000401007': null,
  '5267318187975449': null,
  '4386289407660153': null,
  '4100280000090000': declineFor('expired'),
  '4100280000080001': declineFor('insufficient_funds'),
  '4100280000070002': declineFor('customer_canceled'),
  '4100280000060003': declineFor('card_declined'),
  '4100280000030006': declineFor('card_not_supported'),
  '4100280000010008': declineFor('invalid_number'),
  '4100280000020007': declineFor('processing_error'),
  '5305620000060000': declineFor('expired'),
  '5305620000050001': declineFor('insufficient_funds'),
  '5305620000030003': declineFor('card_declined'),
  '5305620000090007': declineFor('processing_error'),
};

/**
 * The test tokens that every simulator accepts, `decline_` with a reason of Razorpay's own, two for fees, and any token
 * in Razorpay's format.
 */
function methodOfToken(method: string, token: string): TestMethod | undefined {
  if (token === 'ok' || /^token_\w+$/.test(token)) return testMethod(method, null);
  if (token === 'needs_3ds') return testMethod(method, 'bank');
  if (token === 'needs_otp') return testMethod(method, 'code');
  if (token === 'pending') return { ...testMethod(method, null), pending: true };
  if (token === 'customer_fee') return { ...testMethod(method, null), feeBearer: 'customer' };
  if (token === 'shared_fee') return { ...testMethod(method, null), feeBearer: 'dynamic' };
  const failure = declineCodeIn(token);
  const decline = failure ? declineFor(failure) : documentedDecline(/^decline_(.+)$/.exec(token)?.[1] ?? '');
  return decline && testMethod(method, null, decline);
}

/** The payment method of the request; undefined if unknown. */
export function methodIn(input: Fields): TestMethod | undefined {
  const method = textIn(input, 'method') ?? 'card';
  const token = textIn(input, 'token');
  if (token !== null) return methodOfToken(method, token);
  if (method === 'upi')
    return textIn(objectIn(input, 'upi'), 'flow') === 'intent' ? testMethod(method, 'app') : undefined;
  if (method === 'netbanking') return textIn(input, 'bank') === null ? undefined : testMethod(method, 'bank');
  if (method === 'wallet') return textIn(input, 'wallet') === null ? undefined : testMethod(method, 'bank');
  const number = textIn(objectIn(input, 'card'), 'number')?.replaceAll(' ', '') ?? '';
  return Object.hasOwn(CARDS, number) ? testMethod('card', 'bank', CARDS[number] ?? null) : undefined;
}

/** The payment method on Razorpay's own page; and that of an account whose customers bear the fee. */
export const PAGE_METHOD: TestMethod = testMethod('card', null);
export const PAGE_METHOD_WITH_FEE: TestMethod = { ...PAGE_METHOD, feeBearer: 'customer' };
