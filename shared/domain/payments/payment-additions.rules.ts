import { hasNewAct } from '#shared/domain/payments/acts.rules.ts';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';

/**
 * Whether a change starts something that could wait: an attempt, a refund, or a workflow's act. Verdicts, customers'
 * acts and timers never count, nor do failovers of what has begun.
 */
export const addsToPayment = (before: Payment, after: Payment): boolean =>
  hasNewAct(before, after) ||
  isSentOff(before, after) ||
  after.refunds.some((refund) => isAskedFor(refund) && !before.refunds.some(({ id }) => id === refund.id));

/** A dispatch to a provider, or a failed one: that is announced each time as well. */
const isSentOff = (before: Payment, after: Payment): boolean =>
  (before.status === 'created' || before.status === 'failed') &&
  (after.attempts.length > before.attempts.length || (after.status === 'failed' && after.announced > before.announced));

/**
 * A requested refund that is not sent yet. One made at the provider is sent already, and an automatic one can't be
 * asked for again.
 */
const isAskedFor = ({ phase, automatic }: Refund): boolean => phase === 'calling' && !automatic;
