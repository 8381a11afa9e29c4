import { choose } from '#lib/simulators/frame/choosing.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import {
  capturesOf,
  isCapture,
  isOpen,
  isOrder,
  isRefund,
  type StoredCapture,
  type StoredOrder,
} from '#lib/simulators/paypal/objects.ts';
import { approve } from '#lib/simulators/paypal/orders.ts';
import { completeRefund, failRefund } from '#lib/simulators/paypal/refunds.ts';
import { completeCapture, denyCapture } from '#lib/simulators/paypal/taking.ts';

/**
 * An act of the payer or the bank: applied to the newest object that waits for one; else to a pending refund; else to
 * the newest try.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = choose(
    candidates,
    (stored) => (isOrder(stored) && isOpen(stored)) || (isCapture(stored) && stored.body.status === 'PENDING'),
    (stored) => isRefund(stored) && stored.body.status === 'PENDING',
    isOrder,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isCapture(target)) settleCapture(work, target, outcome);
  else if (isOrder(target)) settleOrder(work, target, outcome);
}

function settleCapture(work: Work, capture: StoredCapture, outcome: Ending): void {
  work.sendBy(capture.notes.webhook);
  if (outcome === 'succeeded') completeCapture(work, capture);
  else denyCapture(work, capture);
}

/** PayPal takes nothing by itself: an approval is reported, and a payer who can't pay shows at the capture. */
function settleOrder(work: Work, order: StoredOrder, outcome: Ending): void {
  const [capture] = capturesOf(work, order);
  if (capture) settleCapture(work, capture, outcome);
  if (capture || !isOpen(order)) return;
  work.sendBy(order.notes.webhook);
  if (outcome === 'succeeded') approve(work, order);
  else if (order.notes.source === 'card') approve(work, order, { authenticated: false });
  else approve(work, order, { hopeless: true });
}
