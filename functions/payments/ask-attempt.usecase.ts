import { chargeOrder } from '#functions/payments/charge-order.ts';
import { openSession } from '#functions/payments/open-session.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline, PspAdapter } from '#shared/ports/psp.port.ts';
import { type Heard, hearAnswer, hearRepeat } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections'>;

/** A repeat may charge for the first time: after this long the customer no longer expects that. */
const REPEAT_WITHIN = 15 * MINUTE;

/** Asks the PSP what became of a charge, in the way that PSP allows; `unknown` when it has no word. */
export async function askAttempt(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs): Promise<Heard<Verdict>> {
  const repeats = attempt.psp_reference === null && mayRepeat(attempt, deps.psp.adapter(attempt.provider), deps.clock.now());
  if (repeats) return hearRepeat(async () => (await openSession(payment, attempt, deadline, deps)).create(await chargeOrder(payment, attempt, deps)), deps.log);
  return hearAnswer(async () => {
    const session = await openSession(payment, attempt, deadline, deps);
    return attempt.psp_reference === null ? session.find(await chargeOrder(payment, attempt, deps)) : session.fetch(attempt.psp_reference, payment.id);
  }, deps.log);
}

const mayRepeat = (attempt: Attempt, adapter: PspAdapter | undefined, at: Date): boolean =>
  adapter?.unknownOutcome.ask === 'repeat' && plus(attempt.started_at, Math.min(REPEAT_WITHIN, adapter.unknownOutcome.keyLife / 2)) > at;
