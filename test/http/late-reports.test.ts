import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventTypesOf, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: OwnShop;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
  shop = await openShop(host, {
    provider: 'adyen',
    currency: 'EUR',
    declines: [],
    cancel: 'refused',
    neverArrived: 'sent_again',
  });
});
afterAll(() => host?.close());

/** Adyen's notice of a charge, which it may send after the response. */
async function tell({ id, amount, currency, attempts: [attempt] }: Body, success: boolean, data: Body): Promise<void> {
  const { merchant_account, webhook_secret } = shop.credentials;
  const signed = [attempt.psp_reference, '', merchant_account, attempt.id, amount, currency, 'AUTHORISATION', success];
  const hmacSignature = createHmac('sha256', Buffer.from(webhook_secret ?? '', 'hex'))
    .update(signed.join(':'))
    .digest('base64');
  const ids = {
    'metadata.org_id': shop.org_id,
    'metadata.connection_id': shop.connection_id,
    'metadata.payment_id': id,
  };
  const NotificationRequestItem = {
    pspReference: attempt.psp_reference,
    originalReference: '',
    merchantAccountCode: merchant_account,
    merchantReference: attempt.id,
    amount: { value: amount, currency },
    eventCode: 'AUTHORISATION',
    success: String(success),
    reason: '',
    eventDate: '2026-11-28T00:00:00+00:00',
    additionalData: { ...data, ...ids, hmacSignature },
  };
  const status = await shop.tell(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem }] }));
  expect(status).toBe(200);
  await drain(host);
}

const shown = (id: string): Promise<Body> => read(host, id, { key: shop.key });

it('what the network says after the outcome completes the attempt, once, and changes nothing else', async () => {
  await shop.arrange('approve', { webhook: 'none' });
  const paid = await shop.pay('ok');
  const events = await eventTypesOf(host, paid.id, { key: shop.key });
  await tell(paid, true, { avsResultRaw: 'N', eci: '02' });
  const told = await shown(paid.id);
  const [before] = paid.attempts;
  expect(told.attempts).toEqual([
    { ...before, eci: '02', avs: { code: 'N', address: 'mismatch', postal_code: 'mismatch' } },
  ]);
  expect([told.status, await eventTypesOf(host, paid.id, { key: shop.key })]).toEqual(['succeeded', events]);
  await tell(paid, true, { avsResultRaw: 'N', eci: '02' });
  expect(await shown(paid.id)).toEqual(told);
});

it('what comes after the customer was erased does not bring the card back', async () => {
  await shop.arrange('approve', { webhook: 'none' });
  const paid = await shop.pay('ok', { customer_id: 'kim' });
  expect((await host.call('DELETE', '/v1/customers/kim', undefined, { key: shop.key })).status).toBe(202);
  await advance(host, '1h');
  await tell(paid, true, { avsResultRaw: 'N', eci: '02', cardSummary: '1111', paymentMethod: 'visa' });
  const [attempt] = (await shown(paid.id)).attempts;
  expect([attempt.eci, attempt.card, attempt.avs]).toEqual(['02', undefined, undefined]);
});

it('the report of a decline says nothing about a charge that is paid', async () => {
  await shop.arrange('approve', { webhook: 'none' });
  const paid = await shop.pay('ok');
  await tell(paid, false, { refusalReasonRaw: '51 : Not sufficient funds', avsResultRaw: 'N' });
  const { status, attempts, updated_at } = await shown(paid.id);
  expect([status, attempts, updated_at]).toEqual(['succeeded', paid.attempts, paid.updated_at]);
});
