import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptSeed, Verdict } from '#shared/domain/payments/verdict.model.ts';
import { sentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';
import { type Deadline, PspUnasked } from '#shared/ports/psp.port.ts';
import { askAttempt } from '#shared/services/payments/ask-attempt.service.ts';
import { chargeOrder } from '#shared/services/payments/charge-order.service.ts';
import { timeForACharge } from '#shared/services/payments/psp-deadline.service.ts';
import { enforceVelocity, screened } from '#shared/services/payments/enforce-velocity.service.ts';
import { sendOwedRefunds } from '#shared/services/payments/send-refund.service.ts';
import { type DecideNext, settleOrFailOver } from '#shared/services/payments/settle-payment.service.ts';
import { type PspResult, classifyCharge } from '#shared/services/payments/classify-outcome.service.ts';

type Needs = Pick<
  Deps,
  'payments' | 'velocity' | 'retryBudget' | 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections' | 'pspDeadline'
>;

/**
 * Drives a payment whose attempt is written to its outcome, and fails over where an attempt allows it. `resumed`: the
 * process that wrote the attempt may have sent it already, so the PSP is asked about it before anything is sent.
 */
export async function chargePayment(
  payment: Payment,
  operation: Operation,
  resumed: boolean,
  setup: Setup,
  deps: Needs,
): Promise<Payment> {
  const deadline = deps.pspDeadline();
  const timeForOne = timeForACharge(deadline);
  let current = payment.unscreened ? await enforceVelocity(payment, setup, resumed, deps) : payment;
  let sentBefore = resumed;
  for (;;) {
    const attempt = currentAttempt(current);
    if (attempt?.phase !== 'calling') return sendOwedRefunds(current, deadline, deps);
    const heard = await (sentBefore
      ? askAttempt(current, attempt, deadline, deps)
      : sendInTime(current, attempt, setup, deadline, timeForOne, deps));
    const next = timeForOne() ? nextSeed(current, operation, setup) : undefined;
    current = await settleOrFailOver(current, settling(attempt, heard, deps), next, deps);
    sentBefore = false;
  }
}

const settling =
  ({ id }: Attempt, { verdict, latencyMs }: PspResult<Verdict>, { clock }: Needs): DecideNext =>
  (payment, next) =>
    screened(settle(payment, id, verdict, clock.now(), { latencyMs, ...(next && { next }) }));

/** A charge is not sent where too little time is left to await its answer. */
async function sendInTime(
  payment: Payment,
  attempt: Attempt,
  { connections }: Setup,
  deadline: Deadline,
  timeForOne: () => boolean,
  deps: Needs,
): Promise<PspResult<Verdict>> {
  if (!timeForOne()) return NOT_SENT;
  return classifyCharge(async () => {
    const connection = connections.find((c) => c.id === attempt.connection_id);
    if (!connection) throw new PspUnasked('invalid_configuration', 'The connection is gone.');
    const [session, order] = await Promise.all([
      deps.psp.open(connection, deadline),
      chargeOrder(payment, attempt, deps),
    ]);
    return session.create(order);
  }, deps.log);
}

const NOT_SENT: PspResult<Verdict> = {
  verdict: {
    kind: 'failed',
    reference: null,
    failure: failureOf(declineOf('provider_unavailable', 'no_time_left')),
    elsewhere: false,
    call: 'none',
  },
  latencyMs: 0,
};

/** The next connection in routing order, for a failure that allows one. */
function nextSeed(payment: Payment, operation: Operation, setup: Setup): AttemptSeed | undefined {
  const [id, ...alternatives] = payment.alternatives;
  const connection = setup.connections.find((c) => c.id === id);
  if (!connection) return undefined;
  return { id: operationId(operation, 'attempt', payment.attempts.length), ...sentThrough(connection), alternatives };
}
