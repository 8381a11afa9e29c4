import { APPROVED, declineFor } from '#lib/simulators/checkout/declines.ts';
import { invalid, json, notAllowed } from '#lib/simulators/checkout/errors.ts';
import { announce } from '#lib/simulators/checkout/events.ts';
import { checkAmount, toIsoUnits } from '#lib/simulators/checkout/money.ts';
import {
  findPayment,
  isPayment,
  paymentUrl,
  type StoredAction,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { addAction, changePayment } from '#lib/simulators/checkout/outcomes.ts';
import { apiRoute, checkBody, metadataIn, textIn } from '#lib/simulators/checkout/requests.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

/** A refund reduces the refundable balance at once. The money moves when it is approved. */
function createRefund(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const { input, scenario } = call;
  const payment = findPayment(work, call.params.id ?? '');
  const { balances, currency } = payment.body;
  if (balances.total_captured === 0) throw notAllowed();
  const amount = input.amount === undefined ? balances.available_to_refund : checkAmount(input.amount, currency);
  if (amount > balances.available_to_refund || amount === 0) throw invalid('refund_amount_exceeds_balance');
  const reference = textIn(input, 'reference', 80);
  const labels = { reference, metadata: metadataIn(input) };
  const withWebhook: StoredPayment = {
    ...payment,
    notes: { ...payment.notes, webhook: scenarioNotes(scenario).webhook },
  };
  const refund = addAction(work, withWebhook, { type: 'Refund', amount, ...labels });
  reserve(work, payment, amount);
  const behaviour = scenario?.behaviour;
  const pending = behaviour?.kind === 'pending' || behaviour?.kind === 'requires_action';
  if (behaviour?.kind === 'decline') settleRefund(work, refund, 'failed', behaviour.code);
  else if (pending) announce(work, 'payment_refund_pending', payment, refund.body);
  else settleRefund(work, refund, 'succeeded');
  return json(202, { action_id: refund.id, reference, _links: { payment: { href: paymentUrl(payment.id) } } });
}

function reserve(work: UnitOfWork, payment: StoredPayment, amount: number): StoredPayment {
  const { balances } = payment.body;
  return changePayment(work, payment, {
    balances: { ...balances, available_to_refund: balances.available_to_refund - amount },
  });
}

/** Settles a pending refund. A settled refund stays as it is. */
export function settleRefund(
  work: UnitOfWork,
  refund: StoredAction,
  outcome: 'succeeded' | 'failed',
  code: Parameters<typeof declineFor>[0] = 'do_not_honor',
): void {
  const payment = work.objects.get(refund.parent ?? '');
  if (refund.body.approved !== undefined || !payment || !isPayment(payment)) return;
  const approved = outcome === 'succeeded';
  const after: StoredAction = work.objects.put({
    ...refund,
    body: { ...refund.body, approved, ...(approved ? APPROVED : declineFor(code)) },
  });
  announce(
    work,
    approved ? 'payment_refunded' : 'payment_refund_declined',
    approved ? returnToCustomer(work, payment, after) : reserve(work, payment, -after.body.amount),
    after.body,
  );
}

function returnToCustomer(work: UnitOfWork, payment: StoredPayment, { body: { amount } }: StoredAction): StoredPayment {
  const { balances, currency } = payment.body;
  const total_refunded = balances.total_refunded + amount;
  work.recordRefund(payment.id, toIsoUnits(amount, currency));
  const status = total_refunded < balances.total_captured ? 'Partially Refunded' : 'Refunded';
  return changePayment(work, payment, { status, balances: { ...balances, total_refunded } });
}

export const refundRoutes = [apiRoute('POST', '/payments/{id}/refunds', 'refund', createRefund)];
