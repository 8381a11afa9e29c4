import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt, isPaid, isUnknown } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { hasShareLeft, MINUTE } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline, UnknownOutcomeRule } from '#shared/ports/psp.port.ts';
import { chargeOrder, MIN_TIME_SHARE_FOR_CHARGE } from '#shared/services/payments/charge-order.service.ts';
import { classifyLookup, classifyRepeat, classifySearch } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef, openSession } from '#shared/services/payments/psp-session.service.ts';

type QueryDeps = Pick<Deps, 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections'>;

/**
 * A charge is not sent again after this time: the repeat may be the call that charges, and the customer no longer
 * expects it.
 */
const MAX_REPEAT_AGE = 15 * MINUTE;

/** A charge is not taken as missing before this age: it may still be on its way to the PSP. */
const MIN_NOT_FOUND_AGE = 2 * MINUTE;

/** Queries the PSP about a charge, in the way that the PSP supports. `unknown` if there is no verdict. */
export async function queryAttempt(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: QueryDeps,
): Promise<Verdict> {
  const open = () => openSession(payment, attempt, deadline, deps);
  if (attempt.psp_reference !== null)
    return classifyLookup(async () => (await open()).fetch(chargeRef(payment, attempt)), deps.log);
  const repeat = () =>
    classifyRepeat(async () => (await open()).create(await chargeOrder(payment, attempt, deps)), deps.log);
  const rule = deps.psp.adapter(attempt.provider)?.unknownOutcome;
  const age = deps.clock.now().getTime() - Date.parse(attempt.started_at);
  const canRepeat = isRepeatable(payment, age, rule);
  if (rule?.resolveBy === 'repeat' && canRepeat) return repeat();
  const found = await classifySearch(
    async () => (await open()).find(await chargeOrder(payment, attempt, deps)),
    deps.log,
  );
  if (found.kind !== 'absent') return found;
  if (rule?.ifNotFound === undefined || age < MIN_NOT_FOUND_AGE) return { kind: 'unknown' };
  if (rule.ifNotFound === 'failed' || !canRepeat) return NEVER_CHARGED;
  // A repeat may charge for the first time. If there is no time left to await its outcome, the next query does it.
  return hasShareLeft(deadline, MIN_TIME_SHARE_FOR_CHARGE) ? repeat() : { kind: 'unknown' };
}

/**
 * Not after another attempt has paid: a repeat could charge a second time, and the payment method is deleted by then.
 */
function isRepeatable({ attempts }: Payment, age: number, rule: UnknownOutcomeRule | undefined): boolean {
  return !attempts.some(isPaid) && age < Math.min(MAX_REPEAT_AGE, (rule?.keyLifetimeMs ?? 0) / 2);
}

const NEVER_CHARGED: Verdict = {
  kind: 'failed',
  reference: null,
  failure: failureOf(declineOf('provider_unavailable')),
  allowsFailover: false,
};

/** Throws while it is unknown whether money moved. */
export function assertOutcomeKnown(payment: Payment): void {
  const attempt = currentAttempt(payment);
  if (attempt && isUnknown(attempt) && !payment.review) throw outcomeUnknown();
}

export const outcomeUnknown = (): AppError =>
  new AppError(
    'outcome_unknown',
    'The provider has not reported the outcome of this payment yet. Try again in a minute.',
    {
      retryAfter: 60,
    },
  );
