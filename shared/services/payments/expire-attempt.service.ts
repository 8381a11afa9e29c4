import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { expired, intend, withdraw } from '#shared/domain/payments/attempt-ending.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { postponeExpiry } from '#shared/domain/payments/reconcile.rules.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { endAtPsp } from '#shared/services/payments/open-session.service.ts';
import { type SettleNeeds, settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';

type Needs = SettleNeeds & Pick<Deps, 'psp' | 'log' | 'connections'>;

const TRY_AGAIN = 10 * MINUTE;

/** How long a PSP is asked about a charge: without a word by then, none will come. */
const TRIED_FOR = 8 * DAY;

/**
 * The customer's time is over: the page is ended at the PSP first, so that no money comes after we called it failed.
 * Where a PSP can't end its page, money that still comes is a late success.
 */
export async function expireAttempt(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<Payment> {
  const intended = await deps.payments.change(payment, (p) => intend(p, attempt.id, 'expire'));
  const { verdict } = await classifyLookup(() => endAtPsp(payment, attempt, deadline, deps), deps.log);
  const at = deps.clock.now();
  const lastTry = plus(attempt.started_at, TRIED_FOR) <= at;
  const ended = isOver(verdict) || (lastTry && verdict.kind === 'unknown') ? expired(attempt.psp_reference) : verdict;
  if (ended.kind === 'failed' || ended.kind === 'succeeded')
    return settlePayment(intended, (p) => settle(p, attempt.id, ended, at), deps);
  // The customer has acted: from here on it is polled like any charge, and its money is wanted.
  if (ended.kind === 'processing' && (lastTry || ended.reference !== attempt.psp_reference))
    return deps.payments.change(intended, (p) => {
      const known = settle(p, attempt.id, ended, at);
      return withdraw(known ?? p, attempt.id) ?? known;
    });
  return deps.payments.change(intended, (p) => postponeExpiry(p, attempt.id, plus(at, TRY_AGAIN)));
}

const isOver = ({ kind }: Verdict): boolean =>
  kind === 'canceled' || kind === 'failed' || kind === 'accepted' || kind === 'requires_action' || kind === 'waiting';
