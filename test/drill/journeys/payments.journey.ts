import { randomUUID } from 'node:crypto';
import type { Shop } from '#test/drill/journeys/settings.journey.ts';
import { cookiesOf, type StageClient } from '#test/drill/stage-client.ts';
import type { Surroundings } from '#test/drill/surroundings.ts';

export const CARD = { type: 'card', token: 'pm_card_visa' } as const;
/** The payment that starts the workflow. */
export const LARGE = 7_700;

/** A workflow that asks a CRM, marks the payment, mails and refunds a part. */
export async function automate(stage: StageClient): Promise<void> {
  const integration = (name: string, type: string, config: object) =>
    stage.call(201, 'POST', '/v1/workflows/integrations', { name, type, config });
  const crm = await integration('crm', 'http', { url: 'https://crm.shop.example/crm' });
  const mail = await integration('mail', 'email', { to: 'owner@example.com' });
  const steps = [
    { id: 'ask', type: 'http_request', integration_id: crm.json.id, body: { payment: '{{ data.id }}' } },
    { id: 'mark', type: 'tag_payment', metadata: { told: true } },
    { id: 'mail', type: 'notify', integration_id: mail.json.id, subject: 'Paid', message: 'Paid {{ data.amount }}' },
    { id: 'back', type: 'refund_payment', amount: 100 },
  ];
  const template = await stage.call(201, 'POST', '/v1/workflows/templates', { name: 'tell', steps });
  const rule = { name: 'large', event: 'payment.succeeded', condition: `data.amount == ${LARGE}` };
  const made = await stage.call(201, 'POST', '/v1/workflows/rules', { ...rule, template_id: template.json.id });
  await stage.call(200, 'GET', '/v1/workflows/templates');
  await stage.call(200, 'GET', `/v1/workflows/rules/${made.json.id}`);
}

/** Payments of every kind, and what can be done with them. */
export async function pay(stage: StageClient, { publicKey }: Shop): Promise<void> {
  const create = (body: object, wanted: number | readonly number[] = 201, headers = {}) =>
    stage.call(wanted, 'POST', '/v1/payments', { currency: 'EUR', ...body }, { headers });
  const paid = await create({ amount: 4_900, customer_id: 'cus_1', country: 'DE', payment_method: CARD });
  await create({ amount: LARGE, payment_method: CARD });
  await create({ amount: 1_200, payment_method: { type: 'card', token: 'decline_insufficient_funds' } }, [201, 402]);
  const twice = { 'idempotency-key': randomUUID() };
  const first = await create({ amount: 100, payment_method: CARD }, 201, twice);
  const second = await create({ amount: 100, payment_method: CARD }, 201, twice);
  await stage.until('the same key gives the same payment', 1, () => first.json.id === second.json.id);
  await stage.call(200, 'GET', '/v1/payments?limit=5');
  await stage.call(200, 'GET', '/v1/attention');
  await stage.call(200, 'GET', `/v1/payments/${paid.json.id}`);
  await stage.call([200, 201], 'POST', `/v1/payments/${paid.json.id}/refund`, { amount: 900 });
  const held = await create({ amount: 2_000, payment_method: CARD, capture: 'manual' });
  await stage.call([200, 201], 'POST', `/v1/payments/${held.json.id}/capture`, { amount: 1_500 });
  const hosted = await create({ amount: 800 });
  await stage.call(200, 'POST', `/v1/payments/${hosted.json.id}/cancel`, {});
  const intent = await stage.call(201, 'POST', '/v1/payments/intents', { amount: 650, currency: 'EUR' });
  await stage.call(
    200,
    'POST',
    `/v1/payments/${intent.json.id}/confirm-intent`,
    { client_secret: intent.json.client_secret, payment_method: CARD },
    { as: 'nobody', headers: { authorization: `Bearer ${publicKey}`, origin: 'https://shop.example' } },
  );
}

/** Two customers dispute what they paid: one hears the shop's side, the other gets the money. */
export async function answerDisputes(stage: StageClient, { simulators }: Surroundings): Promise<void> {
  for (const how of ['evidence', 'accept'] as const) {
    const paid = await stage.call(201, 'POST', '/v1/payments', {
      amount: 2_100,
      currency: 'EUR',
      payment_method: CARD,
    });
    simulators.openDispute('stripe', paid.json.id);
    const list = `/v1/disputes?payment_id=${paid.json.id}`;
    await stage.until(
      `a dispute comes by a callback, to be answered by ${how}`,
      30,
      async () => (await stage.send('GET', list)).json.disputes.length > 0,
    );
    const [{ id }] = (await stage.call(200, 'GET', list)).json.disputes;
    await stage.call(200, 'GET', `/v1/disputes/${id}`);
    await stage.call(200, 'GET', `/v1/payments/${paid.json.id}/timeline`);
    await stage.call(200, 'GET', `/v1/search?q=${id}`);
    const body = how === 'evidence' ? { explanation: 'It was delivered.' } : {};
    await stage.call(200, 'POST', `/v1/disputes/${id}/${how}`, body);
    await stage.call(409, 'POST', `/v1/payments/${paid.json.id}/refund`, { amount: 100 });
  }
}

/** A saved card is charged in the customer's absence, and another is kept by a payment. Then the customer is erased. */
export async function keepMethods(stage: StageClient): Promise<void> {
  const customer_id = 'cus_kept';
  const tokens = { stripe: CARD.token };
  const saved = await stage.call(201, 'POST', '/v1/payment-methods', { customer_id, type: 'card', tokens });
  const absent = { payment_method: { id: saved.json.id }, mit: { reason: 'unscheduled' } };
  await stage.call(201, 'POST', '/v1/payments', { amount: 700, currency: 'EUR', ...absent });
  const billing = { name: 'Ann Example', address: { line1: 'Hauptstr. 1', city: 'Berlin', country: 'DE' } };
  const kept = { customer_id, save: true, payment_method: CARD, billing };
  const paid = await stage.call(201, 'POST', '/v1/payments', { amount: 900, currency: 'EUR', ...kept });
  await stage.until('the payment keeps its card', 1, () => paid.json.payment_method_id?.startsWith('pm_'));
  await stage.call(200, 'GET', `/v1/payment-methods?customer_id=${customer_id}`);
  await stage.call(200, 'PATCH', `/v1/payment-methods/${saved.json.id}`, { default: true });
  await stage.call(200, 'GET', `/v1/customers/${customer_id}`);
  await stage.call(200, 'DELETE', `/v1/payment-methods/${saved.json.id}`);
  await stage.call(202, 'DELETE', `/v1/customers/${customer_id}`);
}

/** A payment link, opened and paid as a browser does. */
export async function payByLink(stage: StageClient): Promise<void> {
  const link = await stage.call(201, 'POST', '/v1/payment-links', {
    amount: 4_900,
    currency: 'EUR',
    description: 'Chair',
  });
  const path = `/pay/${link.json.id}`;
  await stage.call(200, 'GET', '/v1/payment-links');
  await stage.call(200, 'GET', `/v1/payment-links/${link.json.id}`);
  const page = await stage.call(200, 'GET', path, undefined, { as: 'nobody' });
  const fields = page.text.matchAll(/<(?:input|button)[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g);
  const form = Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
  const cookie = cookiesOf(page);
  await stage.call([200, 302, 303], 'POST', path, new URLSearchParams({ ...form, country: 'DE' }).toString(), {
    as: 'nobody',
    type: 'application/x-www-form-urlencoded',
    headers: { origin: stage.api.origin, 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
  });
  await stage.call(200, 'POST', `/v1/payment-links/${link.json.id}/deactivate`, {});
}
