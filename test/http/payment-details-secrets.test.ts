import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { BROWSER, DETAILS } from '#test/http/payment-details.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, aPaymentBody, type Body } from '#test/support/host.ts';
import { act, drain } from '#test/support/payment-steps.ts';

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost({ demoProviders: ['stripe', 'adyen'] });
});
afterAll(() => host?.close());

const SENT = { ...DETAILS, browser: { ...BROWSER, user_agent: 'Kanarienbrowser/7.1' } };
const SECRETS = {
  name: DETAILS.billing.name,
  street: DETAILS.billing.address.line1,
  parcel: DETAILS.shipping.address.line1,
  phone: '+4922147110815',
  browser: SENT.browser.user_agent,
  statement: DETAILS.statement_descriptor,
  order: DETAILS.order.reference,
};

it('what a shop tells of its customer is in no response, event, log or file, whatever becomes of the payment', async () => {
  const hook = `${host.controlUrl}/receiver/shop/hook`;
  await host.call('POST', '/v1/webhooks/config', { url: hook, events: ['*'] });
  const answers: string[] = [];
  const noted = async (asked: Promise<ApiResponse>): Promise<Body> => {
    const { text, body } = await asked;
    answers.push(text);
    return body;
  };
  const make = (path: string, token: string, more: Body = {}) =>
    noted(host.call('POST', path, aPaymentBody(token, { ...SENT, ...more })));
  const made = [
    await make('/v1/payments', 'ok'),
    await make('/v1/payments', 'decline_insufficient_funds'),
    await make('/v1/payments', 'needs_3ds'),
    await make('/v1/payments', 'pending'),
    await make('/v1/payments/intents', 'ok'),
  ];
  await noted(act(host, made[1]?.id, 'retry', { ...SENT }));
  await noted(act(host, made[2]?.id, 'confirm', { ...SENT }));
  await make('/v1/payments', 'ok', { order: { ...DETAILS.order, tax_amount: 9_000 } });
  await make('/v1/payments', 'ok', { billing: { ...DETAILS.billing, name: `${DETAILS.billing.name}\n.` } });
  for (const { id } of made) await noted(host.call('GET', `/v1/payments/${id}`));
  await drain(host);
  await noted(host.call('GET', '/v1/webhooks/events?limit=200'));
  const places = {
    ...Object.fromEntries(Object.entries(filesIn(host.folder)).filter(([name]) => !name.includes('-simulators'))),
    stored: (await host.stored()).join('\n'),
    log: inspect(host.logged, { depth: null, maxStringLength: null }),
    answers: answers.join('\n'),
    deliveries: JSON.stringify(host.receivers.deliveries('shop')),
  };
  expect(leaksOf(SECRETS, places)).toEqual([]);
  expect([places.deliveries, places.stored].every((text) => made.every(({ id }) => text.includes(id)))).toBe(true);
});

it('an ended payment keeps nothing of its details', async () => {
  const paid = (await host.call('POST', '/v1/payments', aPaymentBody('ok', SENT))).body;
  const intent = (await host.call('POST', '/v1/payments/intents', aPaymentBody('ok', SENT))).body;
  await act(host, intent.id, 'cancel');
  const sealed = (await host.stored()).filter(
    (line) => line.includes(`"item_type":"payment"`) && (line.includes(paid.id) || line.includes(intent.id)),
  );
  expect(sealed.length).toBeGreaterThanOrEqual(2);
  expect(sealed.filter((line) => !line.includes('"sealed_method":null'))).toEqual([]);
});
