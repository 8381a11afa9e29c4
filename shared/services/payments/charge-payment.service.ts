import { markOutcomeUnknown, settle } from '#shared/domain/payments/attempt.machine.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { attemptConnectionOf, withoutScreeningMark } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { NewAttempt, Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { hasShareLeft, monotonic } from '#shared/kernel/clock.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { type Deadline, PspUnsupported } from '#shared/ports/psp.port.ts';
import {
  chargeOrder,
  type Instrument,
  MIN_TIME_SHARE_FOR_CHARGE,
} from '#shared/services/payments/charge-order.service.ts';
import { classifyCharge, classifyConfirm } from '#shared/services/payments/classify-outcome.service.ts';
import { enforceVelocity } from '#shared/services/payments/enforce-velocity.service.ts';
import { openSession, referenceOf } from '#shared/services/payments/psp-session.service.ts';
import { queryAttempt } from '#shared/services/payments/query-attempt.service.ts';
import {
  type DecideSettlement,
  sendBackUnwanted,
  settlePayment,
} from '#shared/services/payments/settle-payment.service.ts';

export type ChargeDeps = Pick<
  Deps,
  | 'payments'
  | 'paymentMethods'
  | 'velocity'
  | 'retryBudget'
  | 'psp'
  | 'clock'
  | 'vault'
  | 'config'
  | 'log'
  | 'connections'
  | 'pspDeadline'
>;

/** A payment with a stored attempt, and what is needed to charge it. */
export type Charge = {
  readonly payment: Payment;
  readonly operation: Operation;
  /** An earlier process may have sent the attempt already: query the PSP about it before sending anything. */
  readonly resumed: boolean;
  readonly routingData: RoutingData;
  /** The instrument of the payment, if the caller has it already; otherwise it is decrypted. */
  readonly instrument?: Instrument;
  /** Of the attempt, if they were read while the payment was written; otherwise they are read now. */
  readonly credentials?: AttemptCredentials | undefined;
};

type AttemptCredentials = {
  readonly attemptId: string;
  readonly connection: Promise<Connection | undefined>;
};

/** Starts reading what a planned attempt opens its PSP with: beside the write of the payment it costs no time. */
export function readCredentials(
  { attempts }: Payment,
  { connections: routed }: Pick<RoutingData, 'connections'>,
  { connections }: Pick<Deps, 'connections'>,
): AttemptCredentials | undefined {
  const attempt = attempts.at(-1);
  const chosen = attempt?.phase === 'calling' && routed.find(({ id }) => id === attempt.connection_id);
  if (!attempt || !chosen) return undefined;
  const connection = connections.withCredentials(chosen);
  // Awaited after the write, which may fail first.
  connection.catch(() => undefined);
  return { attemptId: attempt.id, connection };
}

/** Charges a payment, failing over to the next connection where a failure allows it, until it has an outcome. */
export async function chargePayment(charge: Charge, deps: ChargeDeps): Promise<Payment> {
  const { payment, operation, resumed, routingData } = charge;
  const deadline = deps.pspDeadline();
  let current = payment.unscreened ? await enforceVelocity(payment, routingData, resumed, deps) : payment;
  let mayHaveBeenSent = resumed;
  for (;;) {
    const attempt = current.attempts.at(-1);
    if (attempt?.phase !== 'calling')
      // Otherwise none of its money can be unwanted.
      return current.refunds.length > 0 || current.capture ? sendBackUnwanted(current, deadline, deps) : current;
    const isInTime = hasShareLeft(deadline, MIN_TIME_SHARE_FOR_CHARGE);
    const sentAt = monotonic();
    const verdict = await (mayHaveBeenSent
      ? queryAttempt(current, attempt, deadline, deps)
      : sendInTime(current, attempt, charge, deadline, isInTime, deps));
    const latencyMs = Math.round(monotonic() - sentAt);
    const at = deps.clock.now();
    const mayFailOver =
      verdict.kind === 'failed' && verdict.allowsFailover && hasShareLeft(deadline, MIN_TIME_SHARE_FOR_CHARGE);
    const next = mayFailOver ? nextAttempt(current, operation, routingData) : undefined;
    current = await settlePayment(current, settleWith(attempt, verdict, latencyMs, at), deps, verdict.saved, next);
    mayHaveBeenSent = false;
  }
}

const settleWith =
  ({ id }: Attempt, verdict: Verdict, latencyMs: number, at: Date): DecideSettlement =>
  (payment, next) =>
    withoutScreeningMark(settle(payment, id, verdict, at, { latencyMs, ...(next && { next }) }));

/** Sends a charge, unless too little time is left to await its outcome. */
async function sendInTime(
  payment: Payment,
  attempt: Attempt,
  { routingData, instrument, credentials }: Charge,
  deadline: Deadline,
  isInTime: boolean,
  deps: ChargeDeps,
): Promise<Verdict> {
  if (!isInTime) return NOT_SENT;
  const read = credentials?.attemptId === attempt.id ? credentials : readCredentials(payment, routingData, deps);
  const connection = await read?.connection;
  return classifyCharge(async () => {
    if (!connection)
      throw new PspUnsupported('invalid_configuration', 'The connection was deleted, or its credentials replaced.');
    const [order, session] = await Promise.all([
      chargeOrder(payment, attempt, deps, instrument),
      deps.psp.open(connection, deadline),
    ]);
    return session.create(order);
  }, deps.log);
}

const NOT_SENT: Verdict = {
  kind: 'failed',
  reference: null,
  failure: failureOf(declineOf('provider_unavailable', 'no_time_left')),
  allowsFailover: false,
  call: 'none',
};

/** Whether an earlier run of this very operation, which died, started the attempt. */
export const startedBy = ({ operation }: Caller, payment: Payment, attempt: Attempt): boolean =>
  operation.resumed &&
  payment.attempts.some((a, n) => a.id === attempt.id && a.id === operationId(operation, 'attempt', n));

/** The next connection in routing order, for a failure that allows one. */
function nextAttempt(payment: Payment, operation: Operation, routingData: RoutingData): NewAttempt | undefined {
  const [id, ...alternatives] = payment.alternatives;
  const connection = routingData.connections.find((c) => c.id === id);
  if (!connection) return undefined;
  return {
    id: operationId(operation, 'attempt', payment.attempts.length),
    ...attemptConnectionOf(connection),
    alternatives,
  };
}

/**
 * Continues an attempt with the input that the customer gave for its `next_action`. This may capture the money, so an
 * unreadable response leaves the outcome unknown.
 */
export async function continueAttempt(
  payment: Payment,
  attempt: Attempt,
  input: Readonly<Record<string, unknown>>,
  deps: Omit<ChargeDeps, 'velocity'>,
): Promise<Payment> {
  const deadline = deps.pspDeadline();
  const verdict = await classifyConfirm(async () => {
    const [session, order] = await Promise.all([
      openSession(payment, attempt, deadline, deps),
      chargeOrder(payment, attempt, deps),
    ]);
    return session.confirm(referenceOf(attempt), order, input);
  }, deps.log);
  if (!verdict) return payment;
  const at = deps.clock.now();
  const settled = await settlePayment(
    payment,
    (p) => (verdict.kind === 'unknown' ? markOutcomeUnknown(p, attempt.id, at) : settle(p, attempt.id, verdict, at)),
    deps,
    verdict.saved,
  );
  return sendBackUnwanted(settled, deadline, deps);
}
