import { refuseUnableToRefund } from '#shared/domain/payments/capability.rules.ts';
import type { Metadata, Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund } from '#shared/domain/payments/refund.machine.ts';
import { chargedAttempt } from '#shared/domain/payments/refundable.rules.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { assertOutcomeKnown } from '#shared/services/payments/assert-outcome-known.service.ts';
import { sendRefund } from '#shared/services/payments/send-refund.service.ts';

type Input = { readonly id: string; readonly amount?: number; readonly reason?: string; readonly metadata?: Metadata };

/**
 * The refund is reserved on the payment before money moves, so that a crash in between is found by a retry or the
 * timer.
 */
export async function refundPayment(input: Input, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  assertOutcomeKnown(payment);
  const id = operationId(caller.operation, 'refund');
  await refuseUnable(payment, { ...input, id }, deps);
  const reserved = await deps.payments.change(payment, (p) => {
    if (p.refunds.some((r) => r.id === id)) return undefined;
    const reserve = reserveRefund(p, { ...input, id }, deps.clock.now());
    refuseInexpressible(reserve, id, deps);
    return reserve;
  });
  return sendRefund(reserved, id, deps.pspDeadline(), deps);
}

/**
 * A deleted connection keeps its credentials for a while, for refunds; after that no refund is possible. A refund that
 * its capabilities rule out is refused, unless it is reserved already.
 */
async function refuseUnable(
  payment: Payment,
  { id, amount }: Input,
  { connections }: Pick<Deps, 'connections'>,
): Promise<void> {
  const charged = payment.status === 'succeeded' ? chargedAttempt(payment) : undefined;
  if (!charged) return;
  const connection = await connections.get(payment.org_id, charged.connection_id);
  const { own, now } = connection ? credentialsOf(connection, charged) : {};
  if (own === undefined && now === undefined)
    throw new AppError(
      'payment_not_refundable',
      'The connection of this payment was deleted, and its credentials purged. Refund it at the provider.',
    );
  if (connection && payment.refunds.every((refund) => refund.id !== id))
    refuseUnableToRefund(connection, payment, amount);
}

/**
 * An amount that the provider can't express exactly, or that is below its minimum, is refused before anything is
 * stored; nothing is rounded.
 */
function refuseInexpressible({ refunds, attempts, currency }: Payment, id: string, { psp }: Pick<Deps, 'psp'>): void {
  const refund = refunds.find((r) => r.id === id);
  const provider = attempts.find((a) => a.id === refund?.attempt_id)?.provider;
  if (!refund || !provider || psp.adapter(provider)?.canExpress(refund.amount, currency, false) !== false) return;
  throw new AppError(
    'amount_not_supported',
    `${provider} can't refund exactly ${refund.amount} minor units of ${currency}. Refund another amount.`,
  );
}
