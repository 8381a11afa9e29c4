import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import { declineFor, type RazorpayDecline } from '#lib/simulators/razorpay/declines.ts';
import { type Fields, hashIn, textIn } from '#lib/simulators/razorpay/validation.ts';

/**
 * How what is paid with behaves. `asks`: where the customer is sent first; `decline`: what comes at once, or after
 * that.
 */
export type TestMethod = {
  readonly method: string;
  readonly asks: 'bank' | 'code' | 'app' | null;
  readonly pending: boolean;
  readonly decline: RazorpayDecline | null;
};

const at = (method: string, asks: TestMethod['asks'], decline: RazorpayDecline | null = null): TestMethod => ({
  method,
  asks,
  pending: false,
  decline,
});

/** Razorpay's documented test cards: all are of Indian banks, which ask for a code before they say what they think. */
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

/** The tokens that every simulator of this host takes, and any of Razorpay's own form. */
function ofToken(method: string, token: string): TestMethod | undefined {
  if (token === 'ok' || /^token_\w+$/.test(token)) return at(method, null);
  if (token === 'needs_3ds') return at(method, 'bank');
  if (token === 'needs_otp') return at(method, 'code');
  if (token === 'pending') return { ...at(method, null), pending: true };
  const failure = declineAsked(token);
  return failure && at(method, null, declineFor(failure));
}

/** What a payment is made with; undefined where there is no such thing. */
export function methodIn(input: Fields): TestMethod | undefined {
  const method = textIn(input, 'method') ?? 'card';
  const token = textIn(input, 'token');
  if (token !== null) return ofToken(method, token);
  if (method === 'upi') return textIn(hashIn(input, 'upi'), 'flow') === 'intent' ? at(method, 'app') : undefined;
  if (method === 'netbanking') return textIn(input, 'bank') === null ? undefined : at(method, 'bank');
  if (method === 'wallet') return textIn(input, 'wallet') === null ? undefined : at(method, 'bank');
  const number = textIn(hashIn(input, 'card'), 'number')?.replaceAll(' ', '') ?? '';
  return Object.hasOwn(CARDS, number) ? at('card', 'bank', CARDS[number] ?? null) : undefined;
}

/** What a customer pays with at a page of Razorpay's own. */
export const AT_PAGE: TestMethod = at('card', null);
