import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';
import { aWorkflowShop } from '#test/support/workflow-shop.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

async function until<T>(look: () => Promise<T | false>): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const seen = await look();
    if (seen !== false) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It never came.');
}

/** Makes every publish fail until the faults are cleared. */
async function failAllPublishes(): Promise<void> {
  const faults = Array.from({ length: 50 }, (_, n) =>
    ['relay', 'timers'].map((handler) => ({ point: 'bus', nth: n + 1, kind: 'error', when: 'before', handler })),
  );
  for (const fault of faults.flat()) await host.control('POST', '/faults', fault);
}

it("runs a connection's workflow when an event that was never published is sent again, without exposing the workflow", async () => {
  const shop = await aWorkflowShop(host);
  const { id: workflow_id } = await shop.template({ type: 'condition', if: 'true' });
  await shop.request('POST', '/v1/connections', { id: 'main', workflow_id });
  await shop.request('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/lost/hook`, events: ['*'] });
  await failAllPublishes();
  await shop.pay();
  const events: Body[] = await until(async () => {
    const told = (await shop.request('GET', '/v1/webhooks/events')).body.events;
    return told.length === 2 && told;
  });
  await host.control('POST', '/clock', { advance: '16m' });
  for (const { id } of events)
    expect((await shop.request('POST', `/v1/webhooks/events/${id}/replay`)).status).toBe(200);
  const ran = await until(async () => {
    const { executions } = (await shop.request('GET', '/v1/workflows/executions')).body;
    return executions.length === 2 && executions;
  });
  expect(host.faults.waiting.length).toBeGreaterThan(0);
  expect(ran.map(({ connection_id, event }: Body) => `${connection_id} ${event.type}`).toSorted()).toEqual([
    'main payment.created',
    'main payment.succeeded',
  ]);
  await host.control('DELETE', '/faults');
  await drain(host);
  expect(
    JSON.stringify([events, (await shop.request('GET', `/v1/webhooks/events/${events[0].id}`)).body]),
  ).not.toContain('through');
  expect((await host.control('GET', '/receiver/lost')).text).not.toContain('through');
}, 20_000);
