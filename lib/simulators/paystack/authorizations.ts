import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, need, refused } from '#lib/simulators/paystack/answers.ts';
import { findTransaction } from '#lib/simulators/paystack/finding.ts';
import { type TestCard, testCard } from '#lib/simulators/paystack/test-cards.ts';

const PREFIX = 'AUTH_';

/** The code that the payment of this number left behind. */
export const codeOf = (number: number): string => PREFIX + number.toString(36);

/** A revoked code, one of another customer and one that is good for a single payment read the same. */
const NOT_YOURS =
  'Email does not match Authorization code. Authorization may be inactive or belong to a different email. Please confirm.';

/** The card that a code stands for. One that a payment here left belongs to the address that paid. */
export function cardIn(input: Ask['input'], work: Work): TestCard {
  const code = need(input, 'authorization_code');
  const card = testCard(code);
  if (!card) throw refused(400, { message: 'Authorization code does not exist or has been deactivated' });
  const first = findTransaction(work, String(Number.parseInt(code.slice(PREFIX.length), 36)));
  const left = first && first.body.paid_at !== null && codeOf(first.body.id) === code ? first.body : undefined;
  if (left && (left.channel !== 'card' || left.email !== need(input, 'email')))
    throw refused(400, { message: NOT_YOURS });
  return card;
}
