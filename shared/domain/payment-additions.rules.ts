import { hasNewAct } from '#shared/domain/acts.rules.ts';
import type { Payment, Refund } from '#shared/domain/payment.model.ts';

/**
 * Whether a change begins what may as well begin later: an attempt, a refund, or an act of a workflow. What providers, customers
 * and time bring is none of these, and goes on over further connections as it has begun.
 */
export const addsToPayment = (before: Payment, after: Payment): boolean =>
  hasNewAct(before, after) ||
  isSentOff(before, after) ||
  after.refunds.some((refund) => isAskedFor(refund) && !before.refunds.some(({ id }) => id === refund.id));

/** To a provider, or nowhere: that is announced too, each time. */
const isSentOff = (before: Payment, after: Payment): boolean =>
  (before.status === 'created' || before.status === 'failed') &&
  (after.attempts.length > before.attempts.length || (after.status === 'failed' && after.announced > before.announced));

/** Reserved, and not sent; what was made at the provider is sent already, and what we owe by ourselves nobody asks for again. */
const isAskedFor = ({ phase, automatic }: Refund): boolean => phase === 'calling' && !automatic;
