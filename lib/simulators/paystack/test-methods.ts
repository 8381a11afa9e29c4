import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { reasonFor } from '#lib/simulators/paystack/declines.ts';
import { apiError } from '#lib/simulators/paystack/errors.ts';
import {
  AUTHORIZATION_PREFIX,
  authorizationCode,
  type ChargeStep,
  findTransaction,
} from '#lib/simulators/paystack/objects.ts';
import { type ApiRequest, requiredText } from '#lib/simulators/paystack/requests.ts';

/** How a saved card behaves. `reason` is why it is declined. */
export type TestCard = {
  readonly steps: readonly ChargeStep[];
  readonly pending: boolean;
  readonly reason: string | null;
  readonly last4: string;
};

const CARD: TestCard = { steps: [], pending: false, reason: null, last4: '4081' };

/**
 * The card of an authorization code; undefined if unknown. Codes in Paystack's format are valid cards. A bank declines
 * `says_Security_violation` with these words.
 */
export function testCard(code: string): TestCard | undefined {
  if (code === 'ok' || /^AUTH_\w+$/.test(code)) return CARD;
  if (code === 'needs_3ds') return { ...CARD, steps: ['open_url'] };
  if (code === 'needs_pin') return { ...CARD, steps: ['send_pin', 'send_otp'], last4: '7812' };
  if (code === 'needs_phone') return { ...CARD, steps: ['send_phone', 'send_otp'] };
  if (code === 'needs_address') return { ...CARD, steps: ['send_address'] };
  if (code === 'pending') return { ...CARD, pending: true };
  const sentence = /^says_(.+)$/.exec(code)?.[1]?.replaceAll('_', ' ');
  if (sentence !== undefined) return { ...CARD, reason: sentence, last4: '5408' };
  const failure = declineCodeIn(code);
  return failure && { ...CARD, reason: reasonFor(failure), last4: '5408' };
}

export const cardWithSteps = (steps: readonly ChargeStep[] = []): TestCard => ({ ...CARD, steps });

/** Paystack uses one message for a revoked code, another customer's code and a code that is not reusable. */
const WRONG_EMAIL =
  'Email does not match Authorization code. Authorization may be inactive or belong to a different ' +
  'email. Please confirm.';

/** The card of the authorization code. A code created here works only with the e-mail address that paid. */
export function cardIn(input: ApiRequest['input'], work: UnitOfWork): TestCard {
  const code = requiredText(input, 'authorization_code');
  const card = testCard(code);
  if (!card) throw apiError(400, { message: 'Authorization code does not exist or has been deactivated' });
  const first = findTransaction(work, String(Number.parseInt(code.slice(AUTHORIZATION_PREFIX.length), 36)));
  const origin =
    first && first.body.paid_at !== null && authorizationCode(first.body.id) === code ? first.body : undefined;
  if (origin && (origin.channel !== 'card' || origin.email !== requiredText(input, 'email')))
    throw apiError(400, { message: WRONG_EMAIL });
  return card;
}
