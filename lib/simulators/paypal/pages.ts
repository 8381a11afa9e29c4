import { customerPage, objectOfPage, PAY_BUTTONS, pressedButton, providerPages } from '#lib/simulators/kit/pages.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { isOpen, isOrder, type StoredOrder } from '#lib/simulators/paypal/objects.ts';
import { approveOrder } from '#lib/simulators/paypal/payments.ts';

const { bankPage, closedPage, notFoundPage, payPage, redirectBack } = providerPages('PayPal');

const isCardOrder = ({ notes }: StoredOrder): boolean => notes.source === 'card';

function showPage(call: Call, work: UnitOfWork): WireResponse {
  const order = objectOfPage(call, work, isOrder);
  if (!order) return notFoundPage;
  if (!isOpen(order)) return closedPage(`The order is ${order.body.status.toLowerCase()}.`);
  const { value, currency_code } = order.body.unit.amount;
  const displayAmount = `${value} ${currency_code}`;
  if (isCardOrder(order)) return bankPage('3-D Secure', displayAmount, { pay: 'Authenticate', decline: 'Fail' });
  return payPage(displayAmount, { ...PAY_BUTTONS, decline: 'Pay with a card that is declined' });
}

/** A declined payment method fails only at the capture. The payer may then return and choose another one. */
function submitPage(call: Call, work: UnitOfWork): WireResponse {
  const order = objectOfPage(call, work, isOrder);
  const choice = pressedButton(call, PAY_BUTTONS);
  if (!order || !isOpen(order) || !choice) return showPage(call, work);
  const { returnUrl, cancelUrl, webhook } = order.notes;
  if (choice === 'cancel') return redirectBack(cancelUrl, { token: order.id });
  work.setWebhookMode(webhook);
  const after = approveOrder(work, order, approvalOf(order, choice === 'pay'));
  return redirectBack(returnUrl, { token: order.id, PayerID: after.body.payer?.payer_id ?? '' });
}

function approvalOf(order: StoredOrder, accepted: boolean): Parameters<typeof approveOrder>[2] {
  if (isCardOrder(order)) return { authenticated: accepted };
  return accepted ? {} : { behaviour: { kind: 'decline', code: 'card_declined' } };
}

export const pageRoutes: readonly Route[] = [...customerPage('/checkoutnow/{id}', showPage, submitPage)];
