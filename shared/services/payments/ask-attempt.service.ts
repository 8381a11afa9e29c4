import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline, UnknownOutcomeRule } from '#shared/ports/psp.port.ts';
import { chargeOrder } from '#shared/services/payments/charge-order.service.ts';
import { timeForACharge } from '#shared/services/payments/psp-deadline.service.ts';
import { chargeRef, openSession } from '#shared/services/payments/open-session.service.ts';
import { type PspResult, classifyLookup, classifyRepeat, classifySearch } from '#shared/services/payments/classify-outcome.service.ts';

type Needs = Pick<Deps, 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections'>;

/** A repeat may charge for the first time, which the customer does not expect later than this. */
const REPEAT_WITHIN = 15 * MINUTE;

/** Before this age a charge that the PSP cannot find may still be on its way there. */
const ABSENT_AFTER = 2 * MINUTE;

/** Asks the PSP what became of a charge, in the way that the PSP supports; `unknown` where that gives no answer. */
export async function askAttempt(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<PspResult<Verdict>> {
  const timeForOne = timeForACharge(deadline);
  const open = () => openSession(payment, attempt, deadline, deps);
  if (attempt.psp_reference !== null)
    return classifyLookup(async () => (await open()).fetch(chargeRef(payment, attempt)), deps.log);
  const repeat = () =>
    classifyRepeat(async () => (await open()).create(await chargeOrder(payment, attempt, deps)), deps.log);
  const rule = deps.psp.adapter(attempt.provider)?.unknownOutcome;
  const age = deps.clock.now().getTime() - Date.parse(attempt.started_at);
  const repeatable = isRepeatable(payment, age, rule);
  if (rule?.ask === 'repeat' && repeatable) return repeat();
  const { verdict, latencyMs } = await classifySearch(
    async () => (await open()).find(await chargeOrder(payment, attempt, deps)),
    deps.log,
  );
  if (verdict.kind !== 'absent') return { verdict, latencyMs };
  if (rule?.absent === undefined || age < ABSENT_AFTER) return { verdict: { kind: 'unknown' }, latencyMs };
  if (rule.absent === 'failed' || !repeatable) return { verdict: neverCharged, latencyMs };
  // A repeat may charge for the first time: without the time to await its answer it is left to the next question.
  return timeForOne() ? repeat() : { verdict: { kind: 'unknown' }, latencyMs };
}

/**
 * Where another attempt has paid, a repeat could charge once more, and the instrument that it was sent with is gone.
 */
function isRepeatable({ attempts }: Payment, age: number, rule: UnknownOutcomeRule | undefined): boolean {
  const isPaid = attempts.some(({ status }) => status === 'succeeded');
  return !isPaid && age < Math.min(REPEAT_WITHIN, (rule?.keyLife ?? 0) / 2);
}

const neverCharged: Verdict = {
  kind: 'failed',
  reference: null,
  failure: failureOf(declineOf('provider_unavailable')),
  elsewhere: false,
};
