import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/local/simulators/frame/wire.ts';
import { isOpen, isOrder, type StoredOrder } from '#lib/local/simulators/paypal/objects.ts';
import { approve } from '#lib/local/simulators/paypal/orders.ts';

const safe = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(status: number, title: string, content: string): WireAnswer {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<body style="font:16px system-ui;max-width:26rem;margin:4rem auto"><h1>${title}</h1>${content}</body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
}

const buttons = (choices: Readonly<Record<string, string>>): string =>
  `<form method="post">${Object.entries(choices)
    .map(([name, label]) => `<button name="do" value="${name}">${label}</button> `)
    .join('')}</form>`;

/** Back to the shop, with the order's id as PayPal calls it there. */
function goBack(url: string | null, parameters: Readonly<Record<string, string>>): WireAnswer {
  if (url === null) return page(200, 'Done', '<p>You may close this page.</p>');
  const location = new URL(url.replaceAll(HERE, 'http://localhost'));
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
  return { status: 303, headers: { location: location.href }, body: '' };
}

function findOrder({ params }: Call, work: Work): StoredOrder | undefined {
  const found = work.objects.get(params.id ?? '');
  return found && isOrder(found) ? found : undefined;
}

const isBank = ({ notes }: StoredOrder): boolean => notes.source === 'card';

function show(call: Call, work: Work): WireAnswer {
  const order = findOrder(call, work);
  if (!order) return page(404, 'Not found', '<p>There is nothing to pay here.</p>');
  if (!isOpen(order)) return page(200, 'This page is closed', `<p>The order is ${order.body.status.toLowerCase()}.</p>`);
  const { value, currency_code } = order.body.unit.amount;
  const sum = safe(`${value} ${currency_code}`);
  if (isBank(order))
    return page(200, '3-D Secure', `<p>Your bank asks: is this payment of ${sum} yours?</p>${buttons({ pay: 'Authenticate', decline: 'Fail' })}`);
  return page(200, `Pay ${sum}`, buttons({ pay: 'Pay', decline: 'Pay with a card that is declined', cancel: 'Cancel' }));
}

/** A way to pay that is no good shows only when the merchant captures; the payer may then come back and choose another. */
function answer(call: Call, work: Work): WireAnswer {
  const order = findOrder(call, work);
  const choice = new URLSearchParams(call.request.body).get('do');
  if (!order || !isOpen(order) || !(choice === 'pay' || choice === 'decline' || choice === 'cancel')) return show(call, work);
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

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/checkoutnow/{id}', operation: null, run: show },
  { method: 'POST', path: '/checkoutnow/{id}', operation: null, run: answer },
];
