import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { adoptRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspRefund, RefundEvent } from '#shared/ports/psp.port.ts';
import { alarmIfFailed, sendRefund } from '#shared/services/payments/refund-payment.service.ts';

type RefundEventDeps = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

/** The PSP could not be queried about an event. The response makes it send the event again. */
export const lookUpFailed = (cause?: unknown): AppError =>
  new AppError('provider_error', 'The provider could not be queried about this event. Send it again later.', { cause });

/** Looks up the refund at the PSP, if the PSP has a look-up. */
export async function applyRefundEvent(
  webhook: VerifiedWebhook,
  event: RefundEvent,
  deps: RefundEventDeps,
): Promise<void> {
  const refund = event.reported ?? (await fetchRefund(webhook, event));
  const { reference, ourId, paymentReference } = event;
  const named = { ...refund, reference: refund.reference ?? reference, ourId: ourId ?? refund.ourId };
  await applyRefund(webhook, named, paymentReference, 'single', deps);
}

async function fetchRefund(
  { session, payment }: VerifiedWebhook,
  { reference, paymentReference }: RefundEvent,
): Promise<PspRefund> {
  const charge = paymentReference ?? payment.psp_reference;
  try {
    return await session.fetchRefund({ reference, paymentId: payment.id, charge });
  } catch (error) {
    throw lookUpFailed(error);
  }
}

/**
 * Applies a refund that the PSP reports. It is one of ours, or one of ours whose reference we do not know yet, or one
 * that was made at the PSP. In a list of refunds ours carry our ids. `charge`: the refunded charge, where the PSP
 * names it.
 */
export async function applyRefund(
  webhook: VerifiedWebhook,
  refund: PspRefund,
  charge: string | null,
  source: 'single' | 'list',
  deps: RefundEventDeps,
): Promise<Payment> {
  const { reference, ourId } = refund;
  if (reference === null) return webhook.payment;
  const find = ({ refunds }: Payment) => refunds.find((r) => r.psp_reference === reference || r.id === ourId);
  const isKnown = source === 'list' || find(webhook.payment) !== undefined;
  const current = isKnown ? webhook.payment : await fetchMissingReferences(webhook, refund, reference, deps);
  const at = deps.clock.now();
  const settled = await deps.payments.change(current, (p) => {
    const existing = find(p);
    if (existing) return settleRefund(p, existing.id, refund, at);
    const attempt = refundedAttempt(p, webhook.connection, charge);
    const id = derivedId('refund', at, p.id, reference);
    const { amount, currency } = refund;
    const adopted = attempt && adoptRefund(p, { id, amount, currency, reference, attempt_id: attempt.id }, at);
    return adopted && (settleRefund(adopted, id, refund, at) ?? adopted);
  });
  const applied = find(settled);
  if (applied && find(current)?.status !== 'failed') alarmIfFailed(settled, applied.id, deps);
  return settled;
}

/** The attempt of the refunded charge, or the first paid attempt if the PSP names no charge that we know. */
function refundedAttempt({ attempts }: Payment, { id }: Connection, charge: string | null): Attempt | undefined {
  const paid = attempts.filter((a) => a.connection_id === id && a.status === 'succeeded');
  return paid.find((a) => a.psp_reference === charge) ?? paid[0];
}

/**
 * The reported refund may be one of ours that is being sent, and whose reference we do not have yet. Repeating our call
 * returns the reference. If it does not, a refund of the same amount counts as ours, so that the money counts once.
 */
async function fetchMissingReferences(
  { payment, connection, deadline }: VerifiedWebhook,
  { amount }: PspRefund,
  reference: string,
  deps: RefundEventDeps,
): Promise<Payment> {
  let current = payment;
  const isUnreferenced = (refund: Refund) =>
    refund.psp_reference === null && refund.status === 'pending' && isAtConnection(payment, refund, connection);
  const isLearnt = () => current.refunds.some((r) => r.psp_reference === reference);
  for (const refund of payment.refunds.filter(isUnreferenced)) {
    if (isLearnt()) return current;
    current = await sendRefund(current, refund.id, deadline, deps);
  }
  const unreferenced = current.refunds.filter(isUnreferenced);
  if (unreferenced.length === 0 || isLearnt()) return current;
  const sameAmount = unreferenced.find((r) => r.amount === amount);
  if (sameAmount?.phase === 'unknown')
    return deps.payments.change(current, (p) =>
      settleRefund(p, sameAmount.id, { kind: 'accepted', reference }, deps.clock.now()),
    );
  if (sameAmount || amount > refundableAmount(current)) throw lookUpFailed();
  return current;
}

const isAtConnection = (payment: Payment, refund: Refund, { id }: Connection): boolean =>
  payment.attempts.some((a) => a.id === refund.attempt_id && a.connection_id === id);
