import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, drain, eventsOf, read } from '#test/support/payment-steps.ts';
import { aWorkflowShop, requestsTo, type StepInput, stepsOf, type WorkflowShop } from '#test/support/workflow-shop.ts';

const GROUP = 'workflow-runs';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/** Starts these steps for the payment.succeeded event of a payment, without waiting for them. */
async function startFor(shop: WorkflowShop, payment: Body, ...steps: readonly StepInput[]): Promise<Body> {
  await drain(host);
  const event = (await eventsOf(host, payment.id, shop)).find(({ type }) => type === 'payment.succeeded');
  const { id: template_id } = await shop.template(...steps);
  return shop.make('executions', { template_id, event_id: event.id });
}

const look = async (shop: WorkflowShop, { id }: Body): Promise<Body> =>
  (await shop.request('GET', `/v1/workflows/executions/${id}`)).body;

async function until(shop: WorkflowShop, execution: Body, isSo: (seen: Body) => boolean): Promise<Body> {
  for (let tries = 0; tries < 200; tries += 1) {
    const seen = await look(shop, execution);
    if (isSo(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('It never came to that.');
}

const UNNOTED = { code: 'outcome_unknown', message: expect.stringContaining('its outcome is not known') };

describe('an execution that is canceled while a step is running', () => {
  it('marks the running step as failed, and records its result once it is known', async () => {
    const shop = await aWorkflowShop(host);
    const payment = await shop.pay();
    await arrange(host, 'slow:1500', { times: 1, match: { operation: 'refund', payment_id: payment.id } });
    const refund: StepInput = { type: 'refund_payment', amount: 100 };
    const execution = await startFor(shop, payment, refund, { type: 'tag_payment', metadata: { seen: true } });
    await until(shop, execution, ({ steps }) => steps[0]?.id === 'refund_payment');
    const { body: canceled } = await shop.request('POST', `/v1/workflows/executions/${execution.id}/cancel`);
    expect(canceled).toMatchObject({
      status: 'canceled',
      steps: [{ id: 'refund_payment', status: 'failed', tries: 1, error: UNNOTED }],
    });
    expect(canceled.steps[0]).not.toHaveProperty('unnoted');
    const later = await until(shop, execution, ({ steps }) => steps[0]?.status === 'succeeded');
    expect(later.steps).toMatchObject([
      { id: 'refund_payment', tries: 1, error: null, output: { refund_status: 'succeeded' } },
    ]);
    expect([later.status, later.ended_at, later.updated_at > canceled.updated_at]).toEqual([
      'canceled',
      canceled.ended_at,
      true,
    ]);
    expect((await read(host, payment.id, shop)).metadata).toEqual({});
  });

  it('leaves the step failed with an unknown result when the worker crashed after the refund', async () => {
    const shop = await aWorkflowShop(host);
    const payment = await shop.pay();
    await drain(host);
    await host.control('POST', '/faults', { point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: GROUP });
    const execution = await startFor(shop, payment, { type: 'refund_payment', amount: 100 });
    await drain(host);
    await shop.request('POST', `/v1/workflows/executions/${execution.id}/cancel`);
    await advance(host, '3h');
    expect(await look(shop, execution)).toMatchObject({
      status: 'canceled',
      steps: [{ id: 'refund_payment', status: 'failed', error: UNNOTED }],
    });
    expect((await read(host, payment.id, shop)).amount_refunded).toBe(100);
  });
});

describe('a step on which ten workers have crashed', () => {
  const crashes = async () => {
    for (let nth = 1; nth <= 11; nth += 1)
      await host.control('POST', '/faults', { point: 'vault', nth, kind: 'crash', when: 'before', handler: GROUP });
  };
  const CONTINUED = { status: 'succeeded', error: null };

  it.each<[string, Body, Body, Body]>([
    [
      'fails the step and ends the execution',
      {},
      { status: 'failed', error: { code: 'internal_error', message: expect.stringContaining('step call') } },
      { call: 'failed' },
    ],
    [
      'fails the step and continues when the step says on_error: continue',
      { on_error: 'continue' },
      CONTINUED,
      { call: 'failed', ask: 'succeeded', tag: 'succeeded' },
    ],
  ])('%s', async (_, more, ends, steps) => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http(shop.org_id);
    const payment = await shop.pay();
    await drain(host);
    await crashes();
    const execution = await startFor(
      shop,
      payment,
      { id: 'call', type: 'http_request', integration_id, ...more },
      { id: 'ask', type: 'condition', if: 'steps.call.status == "failed"' },
      { id: 'tag', type: 'tag_payment', metadata: { called: false } },
    );
    await drain(host);
    for (let n = 0; n < 12; n += 1) await advance(host, '2h');
    await host.control('DELETE', '/faults');
    const seen = await look(shop, execution);
    expect(seen).toMatchObject(ends);
    expect(stepsOf(seen)).toEqual(steps);
    expect(seen.steps[0].error).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('step call'),
    });
    expect(await requestsTo(host, shop.org_id)).toEqual([]);
  });
});

describe('the refund of a step', () => {
  it('has an id that sorts by the time at which the step started', async () => {
    const shop = await aWorkflowShop(host);
    const payment = await shop.pay();
    await startFor(shop, payment, { type: 'delay', for: '2h' }, { type: 'refund_payment', amount: 100 });
    await drain(host);
    await advance(host, '1h');
    await act(host, payment.id, 'refund', { amount: 50 }, shop);
    await advance(host, '2h');
    const { refunds } = await read(host, payment.id, shop);
    expect(refunds.map(({ amount }: Body) => amount)).toEqual([50, 100]);
    expect(refunds.map(({ id }: Body) => id).toSorted()).toEqual(refunds.map(({ id }: Body) => id));
  });
});
