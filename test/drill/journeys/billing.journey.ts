import { listOf, type StageClient } from '#test/drill/stage-client.ts';

const METHOD = { type: 'card', tokens: { stripe: 'pm_card_visa' } };
/** Long enough that only the sweep can charge it. */
const STARTS_IN_MS = 20_000;

/** Subscriptions and invoices. Returns the subscription that begins later, for which the sweep is needed. */
export async function bill(stage: StageClient): Promise<string> {
  const plan = { plan_id: 'gold', currency: 'EUR', interval: 'monthly', payment_method: METHOD };
  const now = await stage.call(201, 'POST', '/v1/subscriptions', { ...plan, customer_id: 'cus_1', amount: 1_500 });
  const start = new Date(Date.now() + STARTS_IN_MS).toISOString();
  const later = await stage.call(201, 'POST', '/v1/subscriptions', {
    ...plan,
    customer_id: 'cus_2',
    amount: 1_600,
    start_at: start,
  });
  await stage.call(200, 'GET', '/v1/subscriptions');
  await stage.call(200, 'PATCH', `/v1/subscriptions/${now.json.id}`, { metadata: { a: 1 } });
  const invoice = await stage.until('the first invoice exists', 20, async () =>
    listOf(await stage.send('GET', '/v1/invoices')).at(0),
  );
  await stage.call(200, 'GET', `/v1/invoices/${invoice?.id}`);
  await stage.call(200, 'GET', `/v1/invoices/${invoice?.id}/dunning`);
  await stage.call(200, 'GET', `/v1/subscriptions/${now.json.id}/upcoming`);
  await stage.until('the totals count the subscription', 40, async () =>
    JSON.stringify((await stage.send('GET', '/v1/subscriptions/stats')).json).includes('"active":1'),
  );
  await stage.call(200, 'POST', `/v1/subscriptions/${now.json.id}/cancel`, { at_period_end: true });
  await stage.call(200, 'POST', `/v1/subscriptions/${now.json.id}/resume`, {});
  return later.json.id;
}

/** Schedule, sweep, queue of renewals and charge, one after the other. */
export async function chargedBySweep(stage: StageClient, subscription: string): Promise<void> {
  const path = `/v1/invoices?subscription_id=${subscription}`;
  await stage.until('the sweep charges a subscription that begins later', 150, async () =>
    listOf(await stage.send('GET', path)).some(({ status }) => status === 'paid'),
  );
  await stage.call(200, 'POST', `/v1/subscriptions/${subscription}/cancel`, {});
}
