import {
  bankPage,
  chosen,
  closedPage,
  customerPage,
  goBack,
  gone,
  PAY,
  payPage,
  shownAt,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { isOpen, isOrder, type StoredOrder } from '#lib/simulators/paypal/objects.ts';
import { approve } from '#lib/simulators/paypal/orders.ts';

const isBank = ({ notes }: StoredOrder): boolean => notes.source === 'card';

function show(call: Call, work: Work): WireAnswer {
  const order = shownAt(call, work, isOrder);
  if (!order) return gone;
  if (!isOpen(order)) return closedPage(`The order is ${order.body.status.toLowerCase()}.`);
  const { value, currency_code } = order.body.unit.amount;
  const sum = `${value} ${currency_code}`;
  if (isBank(order)) return bankPage('3-D Secure', sum, { pay: 'Authenticate', decline: 'Fail' });
  return payPage(sum, { ...PAY, decline: 'Pay with a card that is declined' });
}

/**
 * A way to pay that is no good shows only when the merchant captures; the payer may then come back and choose another.
 */
function answer(call: Call, work: Work): WireAnswer {
  const order = shownAt(call, work, isOrder);
  const choice = chosen(call, PAY);
  if (!order || !isOpen(order) || !choice) return show(call, work);
  const { returnUrl, cancelUrl, webhook } = order.notes;
  if (choice === 'cancel') return goBack(cancelUrl, { token: order.id });
  work.sendBy(webhook);
  const after = approve(work, order, changeBy(order, choice === 'pay'));
  return goBack(returnUrl, { token: order.id, PayerID: after.body.payer?.payer_id ?? '' });
}

function changeBy(order: StoredOrder, good: boolean): Parameters<typeof approve>[2] {
  if (isBank(order)) return { authenticated: good };
  return good ? {} : { behaviour: { kind: 'decline', code: 'card_declined' } };
}

export const pageRoutes: readonly Route[] = [...customerPage('/checkoutnow/{id}', show, answer)];
