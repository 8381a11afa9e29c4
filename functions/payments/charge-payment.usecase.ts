import { askAttempt } from '#functions/payments/ask-attempt.usecase.ts';
import { chargeOrder } from '#functions/payments/charge-order.ts';
import { passVelocity, screened } from '#functions/payments/pass-velocity.ts';
import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import { settleOrGoOn } from '#functions/payments/settle-payment.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { currentAttempt } from '#shared/domain/attempts.rules.ts';
import { sentThrough } from '#shared/domain/connection-credentials.rules.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { AttemptSeed, Verdict } from '#shared/domain/verdict.model.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspUnasked } from '#shared/ports/psp.port.ts';
import type { Setup } from '#shared/ports/stores.port.ts';
import { timeForACharge } from '#shared/psp/deadline.ts';
import { type Heard, hearCharge } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'payments' | 'velocity' | 'retryBudget' | 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections' | 'pspDeadline'>;

/**
 * Takes a payment whose attempt is written to its outcome, over further connections where an attempt allows it. `resumed`:
 * the process that wrote it may have sent it already, so the PSP is asked before anything is sent.
 */
export async function chargePayment(payment: Payment, operation: Operation, resumed: boolean, setup: Setup, deps: Needs): Promise<Payment> {
  const deadline = deps.pspDeadline();
  const timeForOne = timeForACharge(deadline);
  let current = payment.unscreened ? await passVelocity(payment, setup, resumed, deps) : payment;
  for (let sentBefore = resumed; ; sentBefore = false) {
    const attempt = currentAttempt(current);
    if (attempt?.phase !== 'calling') return sendOwedRefunds(current, deadline, deps);
    const call = sentBefore ? askAttempt : timeForOne() ? chargeBy(setup) : notBegun;
    const { verdict, latencyMs } = await call(current, attempt, deadline, deps);
    const settled = (next?: AttemptSeed) => (p: Payment) => screened(settle(p, attempt.id, verdict, deps.clock.now(), { latencyMs, ...(next && { next }) }));
    current = await settleOrGoOn(current, settled, timeForOne() ? nextSeed(current, operation, setup) : undefined, deps);
  }
}

const chargeBy =
  ({ connections }: Setup) =>
  (payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs): Promise<Heard<Verdict>> =>
    hearCharge(async () => {
      const connection = connections.find((c) => c.id === attempt.connection_id);
      if (!connection) throw new PspUnasked('invalid_configuration', 'The connection is gone.');
      const [session, order] = await Promise.all([deps.psp.open(connection, deadline), chargeOrder(payment, attempt, deps)]);
      return session.create(order);
    }, deps.log);

async function notBegun(): Promise<Heard<Verdict>> {
  const failure = failureOf(declineOf('provider_unavailable', 'no_time_left'));
  return { verdict: { kind: 'failed', reference: null, failure, elsewhere: false, call: 'none' }, latencyMs: 0 };
}

/** The next connection in routing order, should this attempt fail in a way that allows one. */
function nextSeed(payment: Payment, operation: Operation, setup: Setup): AttemptSeed | undefined {
  const [id, ...alternatives] = payment.alternatives;
  const connection = setup.connections.find((c) => c.id === id);
  if (!connection) return undefined;
  return { id: operationId(operation, 'attempt', payment.attempts.length), ...sentThrough(connection), alternatives };
}
