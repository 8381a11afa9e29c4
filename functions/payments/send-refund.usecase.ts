import { pspMetadata } from '#functions/payments/charge-order.ts';
import type { Payment, Refund } from '#shared/domain/payment.model.ts';
import { type RefundVerdict, settleRefund } from '#shared/domain/refund.machine.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspOutcomeUnknown, PspRefused, type RefundOrder, type RefundOutcome } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { hearRefund } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

/**
 * Brings a reserved refund to its outcome. Sending it again is safe while the PSP keeps the key, so the first send, a
 * retry after a crash and a later question are the same call.
 */
export async function sendRefund(payment: Payment, refundId: string, deadline: Deadline, deps: Needs): Promise<Payment> {
  const refund = payment.refunds.find((r) => r.id === refundId);
  if (!refund || refund.phase === 'final') return payment;
  const { verdict } = await hearRefund(() => refundOutcome(payment, refund, deadline, deps), deps.log);
  return deps.payments.change(payment, (p) => settleRefund(p, refundId, verdict satisfies RefundVerdict, deps.clock.now()));
}

/** Refunds that we owe by ourselves (a second charge, money after a cancel) and that nobody has sent yet. */
export async function sendOwedRefunds(payment: Payment, deadline: Deadline, deps: Needs): Promise<Payment> {
  let current = payment;
  for (const refund of payment.refunds) if (refund.automatic && refund.phase === 'calling') current = await sendRefund(current, refund.id, deadline, deps);
  return current;
}

async function refundOutcome(payment: Payment, refund: Refund, deadline: Deadline, deps: Needs): Promise<RefundOutcome> {
  const attempt = payment.attempts.find((a) => a.id === refund.attempt_id);
  const connection = attempt && (await deps.connections.get(payment.org_id, attempt.connection_id));
  if (!connection || attempt?.psp_reference == null) throw new PspRefused('not_found', 'The charge of this refund is out of reach.');
  const session = await deps.psp.open(connection, deadline);
  if (refund.psp_reference !== null) return session.fetchRefund(refund.psp_reference, payment.id);
  if (!stillKeyed(refund, session, deps.clock.now())) throw new PspOutcomeUnknown('The refund is older than its key at the provider.');
  return session.refund(refundOrder(payment, refund, attempt.psp_reference, connection.id));
}

const refundOrder = (payment: Payment, refund: Refund, reference: string, connectionId: string): RefundOrder => ({
  paymentId: payment.id,
  refundId: refund.id,
  reference,
  amount: refund.amount,
  currency: payment.currency,
  whole: refund.amount === payment.amount,
  metadata: pspMetadata(payment, connectionId),
});

const stillKeyed = (refund: Refund, { adapter }: PspSession, at: Date): boolean => plus(refund.created_at, adapter.unknownOutcome.keyLife / 2) > at;
