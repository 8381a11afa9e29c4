import { APPROVED, declineFor } from '#lib/simulators/checkout/declines.ts';
import { invalid, json, notAllowed } from '#lib/simulators/checkout/errors.ts';
import { announce } from '#lib/simulators/checkout/events.ts';
import { checkAmount, toIsoUnits } from '#lib/simulators/checkout/money.ts';
import {
  findPayment,
  isAction,
  isPayment,
  paymentUrl,
  type StoredAction,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { addAction, changePayment, endPayment } from '#lib/simulators/checkout/outcomes.ts';
import { apiRoute, checkBody, metadataIn, textIn } from '#lib/simulators/checkout/requests.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Call, FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

/** The capture types, and whether the rest is voided with this one. */
const TYPES: Readonly<Record<string, boolean>> = { Final: true, NonFinal: false };

/** A capture reduces the balance at once. The money moves when it is approved. */
function createCapture(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const { input, scenario } = call;
  const payment = findPayment(work, call.params.id ?? '');
  const { balances, currency } = payment.body;
  if (balances.available_to_capture === 0) throw notAllowed();
  const amount = input.amount === undefined ? balances.available_to_capture : checkAmount(input.amount, currency);
  if (amount > balances.available_to_capture) throw invalid('capture_value_greater_than_authorized');
  const final = TYPES[textIn(input, 'capture_type', 20) ?? 'Final'];
  if (final === undefined) throw invalid('capture_type_invalid');
  const reference = textIn(input, 'reference', 80);
  const labels = { reference, metadata: metadataIn(input) };
  const withWebhook: StoredPayment = {
    ...payment,
    notes: { ...payment.notes, webhook: scenarioNotes(scenario).webhook },
  };
  const added = addAction(work, withWebhook, { type: 'Capture', amount, ...labels });
  const capture: StoredAction = work.objects.put({ ...added, notes: { ...added.notes, final } });
  reserve(work, payment, amount);
  const behaviour = scenario?.behaviour;
  if (behaviour?.kind === 'decline') settleCapture(work, capture, 'failed', behaviour.code);
  else if (behaviour?.kind === 'pending') announce(work, 'payment_capture_pending', payment, capture.body);
  else settleCapture(work, capture, 'succeeded');
  return json(202, { action_id: capture.id, reference, _links: { payment: { href: paymentUrl(payment.id) } } });
}

function reserve(work: UnitOfWork, payment: StoredPayment, amount: number): StoredPayment {
  const { balances } = payment.body;
  const available_to_capture = balances.available_to_capture - amount;
  return changePayment(work, payment, {
    balances: { ...balances, available_to_capture, available_to_void: balances.available_to_void - amount },
  });
}

export const isOpenCapture = (stored: StoredObject): stored is StoredAction =>
  isAction(stored) && stored.body.type === 'Capture' && stored.body.approved === undefined;

/** Settles a pending capture. A settled one stays as it is. */
export function settleCapture(
  work: UnitOfWork,
  capture: StoredAction,
  outcome: FinalOutcome,
  code: Parameters<typeof declineFor>[0] = 'do_not_honor',
): void {
  const payment = work.objects.get(capture.parent ?? '');
  if (!isOpenCapture(capture) || !payment || !isPayment(payment)) return;
  work.setWebhookMode(capture.notes.webhook);
  const approved = outcome === 'succeeded';
  const after: StoredAction = work.objects.put({
    ...capture,
    body: { ...capture.body, approved, ...(approved ? APPROVED : declineFor(code)) },
  });
  const changed = approved ? take(work, payment, after) : reserve(work, payment, -after.body.amount);
  announce(work, approved ? 'payment_captured' : 'payment_capture_declined', changed, after.body);
}

function take(work: UnitOfWork, payment: StoredPayment, { body: { amount }, notes }: StoredAction): StoredPayment {
  const { balances, currency } = payment.body;
  const left = notes.final ? 0 : balances.available_to_capture;
  const voided = balances.available_to_capture - left;
  const total_captured = balances.total_captured + amount;
  work.recordCapture({ hold: payment.id, amount: toIsoUnits(amount, currency) });
  if (left === 0) work.recordRelease(payment.id);
  return changePayment(work, left === 0 ? { ...payment, due: null } : payment, {
    status: total_captured < balances.total_authorized ? 'Partially Captured' : 'Captured',
    balances: {
      ...balances,
      total_captured,
      total_voided: balances.total_voided + voided,
      available_to_capture: left,
      available_to_void: left,
      available_to_refund: balances.available_to_refund + amount,
    },
  });
}

/** What nobody captured in time is voided. */
export function expireHold(work: UnitOfWork, payment: StoredPayment): void {
  const ended: StoredPayment = work.objects.put({ ...payment, due: null });
  if (ended.body.balances.available_to_void === 0) return;
  work.setWebhookMode(payment.notes.webhook);
  endPayment(work, ended, 'Voided');
}

export const captureRoutes = [apiRoute('POST', '/payments/{id}/captures', 'capture', createCapture)];
