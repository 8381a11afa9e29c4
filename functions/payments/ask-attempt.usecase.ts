import { chargeOrder } from '#functions/payments/charge-order.ts';
import { chargeRef, openSession } from '#functions/payments/open-session.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { timeForACharge } from '#shared/psp/deadline.ts';
import { type Heard, hearAnswer, hearRepeat } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections'>;

/** A repeat may charge for the first time: after this long the customer no longer expects that. */
const REPEAT_WITHIN = 15 * MINUTE;

/** Until then a charge that a PSP cannot find may still be on its way there. */
const ABSENT_AFTER = 2 * MINUTE;

/** Asks the PSP what became of a charge, in the way that PSP allows; `unknown` when it has no word. */
export async function askAttempt(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs): Promise<Heard<Verdict>> {
  const timeForOne = timeForACharge(deadline);
  const open = () => openSession(payment, attempt, deadline, deps);
  if (attempt.psp_reference !== null) return hearAnswer(async () => (await open()).fetch(chargeRef(payment, attempt)), deps.log);
  const repeat = () => hearRepeat(async () => (await open()).create(await chargeOrder(payment, attempt, deps)), deps.log);
  const rule = deps.psp.adapter(attempt.provider)?.unknownOutcome;
  const age = deps.clock.now().getTime() - Date.parse(attempt.started_at);
  // Another attempt has paid: what repeats this one could charge once more, and no longer with what it was sent with.
  const isPaid = payment.attempts.some(({ status }) => status === 'succeeded');
  const repeatable = !isPaid && age < Math.min(REPEAT_WITHIN, (rule?.keyLife ?? 0) / 2);
  if (rule?.ask === 'repeat' && repeatable) return repeat();
  let absent = false;
  const found = await hearAnswer(async () => {
    const outcome = await (await open()).find(await chargeOrder(payment, attempt, deps));
    absent = outcome === undefined;
    return outcome;
  }, deps.log);
  if (!absent || rule?.absent === undefined || age < ABSENT_AFTER) return found;
  if (rule.absent === 'failed' || !repeatable) return { ...found, verdict: neverCharged };
  // It may charge for the first time, and what could not be heard out is not begun: the next question does it.
  return timeForOne() ? repeat() : { ...found, verdict: { kind: 'unknown' } };
}

const neverCharged: Verdict = { kind: 'failed', reference: null, failure: failureOf(declineOf('provider_unavailable')), elsewhere: false };
