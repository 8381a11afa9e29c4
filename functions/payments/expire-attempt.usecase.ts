import { endAtPsp } from '#functions/payments/open-session.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { expired, intend } from '#shared/domain/attempt-ending.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { postponeExpiry } from '#shared/domain/reconcile.rules.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

const TRY_AGAIN = 10 * MINUTE;

/**
 * The customer's time is over: the page is ended at the PSP first, so that no money comes after we said it failed. Where a
 * PSP has no way to end what it shows, money that comes all the same is a late success.
 */
export async function expireAttempt(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs): Promise<Payment> {
  const intended = await deps.payments.change(payment, (p) => intend(p, attempt.id, 'expire'));
  const { verdict } = await hearAnswer(() => endAtPsp(payment, attempt, deadline, deps), deps.log);
  const at = deps.clock.now();
  const ended = isOver(verdict) ? expired(attempt.psp_reference) : verdict;
  if (ended.kind === 'failed' || ended.kind === 'succeeded') return deps.payments.change(intended, (p) => settle(p, attempt.id, ended, at));
  return deps.payments.change(intended, (p) => postponeExpiry(p, attempt.id, plus(at, TRY_AGAIN)));
}

const isOver = ({ kind }: Verdict): boolean =>
  kind === 'canceled' || kind === 'failed' || kind === 'accepted' || kind === 'requires_action' || kind === 'waiting';
