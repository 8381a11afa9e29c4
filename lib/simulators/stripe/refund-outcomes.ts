import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { Ask } from '#lib/simulators/stripe/ask.ts';
import { changeCharge } from '#lib/simulators/stripe/charges.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { findCharge } from '#lib/simulators/stripe/find.ts';
import { metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import {
  newStripeId,
  type Refund,
  type StoredCharge,
  type StoredRefund,
  seconds,
} from '#lib/simulators/stripe/objects.ts';

type Making = { readonly charge: StoredCharge; readonly amount: number; readonly status: Refund['status'] };

/** A refund counts against its charge from the start; the money goes when it succeeds. */
export function newRefund({ input, call }: Ask, work: Work, { charge, amount, status }: Making): StoredRefund {
  const id = newStripeId('re');
  const body: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: newStripeId('txn'),
    charge: charge.id,
    created: seconds(work.now),
    currency: charge.body.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: metadataOf(input),
    payment_intent: charge.body.payment_intent ?? '',
    payment_method: null,
    ...(status === 'pending' && { pending_reason: 'processing' }),
    reason: textAt(input, 'reason'),
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
  const notes = { webhook: following(call.script).webhook };
  const stored = work.objects.put({
    id,
    account: work.account,
    kind: 'refund',
    paymentId: charge.paymentId,
    parent: body.payment_intent,
    due: null,
    body,
    notes,
  });
  const after = giveBack(work, charge, amount);
  if (status === 'succeeded') work.gaveBack(charge.id, amount);
  announce(work, 'refund.created', body, charge.body.livemode);
  announce(work, 'charge.refunded', after.body);
  return stored;
}

/** What counts as refunded on the charge, pending ones included: no more than the rest can be asked for. */
function giveBack(work: Work, charge: StoredCharge, amount: number): StoredCharge {
  const amount_refunded = charge.body.amount_refunded + amount;
  return changeCharge(work, charge, { amount_refunded, refunded: amount_refunded >= charge.body.amount_captured });
}

export function completeRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'pending') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, status: 'succeeded' } });
  work.gaveBack(refund.body.charge, refund.body.amount);
  announce(work, 'refund.updated', after.body, livemodeOf(work, refund));
  return after;
}

/** The money comes back to the merchant, also from a refund that had succeeded already. */
export function failRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status === 'failed') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const failure = { failure_balance_transaction: newStripeId('txn'), failure_reason: 'lost_or_stolen_card' };
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, ...failure, status: 'failed' } });
  const charge = findCharge(work, refund.body.charge);
  giveBack(work, charge, -refund.body.amount);
  if (refund.body.status === 'succeeded') work.gaveBack(charge.id, -refund.body.amount);
  announce(work, 'refund.updated', after.body, charge.body.livemode);
  announce(work, 'refund.failed', after.body, charge.body.livemode);
  return after;
}

const livemodeOf = (work: Work, refund: StoredRefund): boolean => findCharge(work, refund.body.charge).body.livemode;
