import { api, invalid, json, notAllowed } from '#lib/simulators/checkout/answers.ts';
import { announce } from '#lib/simulators/checkout/events.ts';
import { findPayment } from '#lib/simulators/checkout/find.ts';
import { checkAmount, isoUnits } from '#lib/simulators/checkout/money.ts';
import { isPayment, type StoredAction, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { act, change } from '#lib/simulators/checkout/outcomes.ts';
import { APPROVED, declineFor } from '#lib/simulators/checkout/response-codes.ts';
import { checkWire, metadataAt, textAt } from '#lib/simulators/checkout/validation.ts';
import { selfOf } from '#lib/simulators/checkout/views.ts';
import { following } from '#lib/simulators/frame/following.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

/** A refund counts against its payment from the start; the money goes when it is approved. */
function order(call: Call, work: Work): WireAnswer {
  checkWire(call);
  const { input, script } = call;
  const payment = findPayment(work, call.params.id ?? '');
  const { balances, currency } = payment.body;
  if (balances.total_captured === 0) throw notAllowed();
  const amount = input.amount === undefined ? balances.available_to_refund : checkAmount(input.amount, currency);
  if (amount > balances.available_to_refund || amount === 0) throw invalid('refund_amount_exceeds_balance');
  const reference = textAt(input, 'reference', 80);
  const own = { reference, metadata: metadataAt(input) };
  const noted: StoredPayment = { ...payment, notes: { ...payment.notes, webhook: following(script).webhook } };
  const refund = act(work, noted, { type: 'Refund', amount, ...own });
  reserve(work, payment, amount);
  const behaviour = script?.behaviour;
  const slow = behaviour?.kind === 'pending' || behaviour?.kind === 'requires_action';
  if (behaviour?.kind === 'decline') settleRefund(work, refund, 'failed', behaviour.code);
  else if (slow) announce(work, 'payment_refund_pending', payment, refund.body);
  else settleRefund(work, refund, 'succeeded');
  return json(202, { action_id: refund.id, reference, _links: { payment: { href: selfOf(payment.id) } } });
}

function reserve(work: Work, payment: StoredPayment, amount: number): StoredPayment {
  const { balances } = payment.body;
  return change(work, payment, {
    balances: { ...balances, available_to_refund: balances.available_to_refund - amount },
  });
}

/** A refund that is decided stays so. */
export function settleRefund(
  work: Work,
  refund: StoredAction,
  outcome: 'succeeded' | 'failed',
  why: Parameters<typeof declineFor>[0] = 'do_not_honor',
): void {
  const payment = work.objects.get(refund.parent ?? '');
  if (refund.body.approved !== undefined || !payment || !isPayment(payment)) return;
  const approved = outcome === 'succeeded';
  const after: StoredAction = work.objects.put({
    ...refund,
    body: { ...refund.body, approved, ...(approved ? APPROVED : declineFor(why)) },
  });
  announce(
    work,
    approved ? 'payment_refunded' : 'payment_refund_declined',
    approved ? give(work, payment, after) : reserve(work, payment, -after.body.amount),
    after.body,
  );
}

function give(work: Work, payment: StoredPayment, { body: { amount } }: StoredAction): StoredPayment {
  const { balances, currency } = payment.body;
  const total_refunded = balances.total_refunded + amount;
  work.gaveBack(payment.id, isoUnits(amount, currency));
  const status = total_refunded < balances.total_captured ? 'Partially Refunded' : 'Refunded';
  return change(work, payment, { status, balances: { ...balances, total_refunded } });
}

export const refundRoutes = [api('POST', '/payments/{id}/refunds', 'refund', order)];
