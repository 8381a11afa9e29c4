import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo } from '#test/support/billing.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { advance, read } from '#test/support/payment-steps.ts';
import { aWorkflowShop, requestsTo, respondWith, type StepInput, stepsOf } from '#test/support/workflow-shop.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const tag = (name: string): StepInput => ({ type: 'tag_payment', metadata: { [name]: true } });
const aDelay = (time: string): StepInput => ({ type: 'delay', for: time });
const ms = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

describe('a delay', () => {
  it.each([
    ['of a minute', '1m', 60_000],
    ['of ten minutes', '10m', 600_000],
    ['of two hours', '2h', 7_200_000],
    ['of three days', '3d', 259_200_000],
  ])('%s ends on time, and not sooner', async (_, time, length) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', aDelay(time), tag('late'));
    const { id } = await shop.pay();
    const waiting = await shop.execution();
    expect([waiting.status, stepsOf(waiting), waiting.steps[0].ended_at]).toEqual([
      'waiting',
      { delay: 'running' },
      null,
    ]);
    // It is recorded a moment after it starts.
    expect(ms(waiting.steps[0].started_at, waiting.next_step_at)).toBeGreaterThanOrEqual(length);
    expect(ms(waiting.steps[0].started_at, waiting.next_step_at)).toBeLessThan(length + 1_000);
    expect(ms(waiting.created_at, waiting.next_step_at)).toBeGreaterThanOrEqual(length);
    await goTo(host, new Date(Date.parse(waiting.next_step_at) - 10_000).toISOString());
    expect((await read(host, id, shop)).metadata).toEqual({});
    await advance(host, '2h');
    const done = await shop.execution();
    expect([done.status, stepsOf(done)]).toEqual(['succeeded', { delay: 'succeeded', tag_payment: 'succeeded' }]);
    // The clock stops when the delay is due: the sweep finds it at once, as its message would.
    expect(ms(waiting.next_step_at, done.ended_at)).toBeLessThan(2_000);
    const [delay, after] = done.steps;
    expect([
      delay.started_at,
      ms(waiting.next_step_at, delay.ended_at) >= 0,
      ms(delay.ended_at, after.started_at) >= 0,
    ]).toEqual([waiting.steps[0].started_at, true, true]);
  });

  it.each([
    ['the message that starts the execution cannot be sent', 1],
    ['the message of the delay cannot be sent', 2],
  ])('still ends on time when %s', async (_, nth) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', aDelay('5m'), tag('late'));
    host.faults.add({ point: 'queue', nth, kind: 'error', when: 'before', handler: 'workflow-runs' });
    const { id } = await shop.pay();
    expect((await shop.execution()).status).toBe('waiting');
    expect(host.faults.waiting).toEqual([]);
    await advance(host, '7m');
    expect((await shop.execution()).status).toBe('succeeded');
    expect((await read(host, id, shop)).metadata).toEqual({ late: true });
  });

  it('is waited for when it is the last step', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', aDelay('1m'));
    await shop.pay();
    expect((await shop.execution()).status).toBe('waiting');
    await advance(host, '61s');
    expect(await shop.execution()).toMatchObject({
      status: 'succeeded',
      next_step_at: null,
      steps: [{ status: 'succeeded' }],
    });
  });

  it('is waited for when it follows another delay', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when(
      'payment.succeeded',
      { ...aDelay('1m'), id: 'one' },
      { ...aDelay('20m'), id: 'two' },
      { ...aDelay('1d'), id: 'three' },
      tag('late'),
    );
    const { id } = await shop.pay();
    await shop.execution();
    await advance(host, '1d');
    expect(stepsOf(await shop.execution())).toEqual({ one: 'succeeded', two: 'succeeded', three: 'running' });
    await advance(host, '22m');
    expect((await shop.execution()).status).toBe('succeeded');
    expect((await read(host, id, shop)).metadata).toEqual({ late: true });
  });
});

describe('while an execution waits', () => {
  async function waiting(...steps: readonly StepInput[]) {
    const shop = await aWorkflowShop(host);
    const integration = await shop.http(shop.org_id);
    const call: StepInput = { id: 'call', type: 'http_request', integration_id: integration.id };
    const rule = await shop.when('payment.succeeded', aDelay('1h'), call, ...steps);
    const payment = await shop.pay();
    const { id, status } = await shop.execution();
    expect(status).toBe('waiting');
    const later = async () => {
      await advance(host, '61m');
      return (await shop.request('GET', `/v1/workflows/executions/${id}`)).body;
    };
    return { shop, integration, rule, payment, id, later };
  }

  it('a change of its template applies to the next execution only', async () => {
    const { shop, rule, payment, later } = await waiting(tag('old'));
    await shop.change('templates', { id: rule.template_id }, { steps: [{ id: 'other', ...tag('new') }] });
    const next = await shop.pay();
    expect(stepsOf(await later())).toEqual({ delay: 'succeeded', call: 'succeeded', tag_payment: 'succeeded' });
    const metadata = await Promise.all([payment, next].map(async ({ id }) => (await read(host, id, shop)).metadata));
    expect(metadata).toEqual([{ old: true }, { new: true }]);
  });

  it('its template and its rule can be deleted', async () => {
    const { shop, rule, payment, later } = await waiting(tag('old'));
    await shop.remove('rules', rule);
    expect((await shop.remove('templates', { id: rule.template_id })).status).toBe(200);
    expect((await later()).status).toBe('succeeded');
    expect((await read(host, payment.id, shop)).metadata).toEqual({ old: true });
  });

  it.each([
    ['it fails at the step whose integration was disabled', {}, 'failed', { delay: 'succeeded', call: 'failed' }],
    [
      'it continues without a step whose integration was disabled if that step says on_error: continue',
      { on_error: 'continue' },
      'succeeded',
      { delay: 'succeeded', call: 'failed', tag_payment: 'succeeded' },
    ],
  ])('%s', async (_, more, status, steps) => {
    const shop = await aWorkflowShop(host);
    const integration = await shop.http(shop.org_id);
    await shop.when(
      'payment.succeeded',
      aDelay('1h'),
      { id: 'call', type: 'http_request', integration_id: integration.id, ...more },
      tag('late'),
    );
    await shop.pay();
    await shop.execution();
    await shop.change('integrations', integration, { enabled: false });
    await advance(host, '61m');
    const execution = await shop.execution();
    expect([execution.status, stepsOf(execution)]).toEqual([status, steps]);
    expect(execution.steps[1].error).toMatchObject({
      code: 'workflow_integration_disabled',
      message: expect.stringContaining(integration.id),
    });
    expect(await requestsTo(host, shop.org_id)).toEqual([]);
  });

  it('its integration can be deleted once no template uses it', async () => {
    const { shop, integration, rule, later } = await waiting();
    expect((await shop.remove('integrations', integration)).body.code).toBe('workflow_integration_in_use');
    await shop.change('templates', { id: rule.template_id }, { steps: [{ id: 'other', ...tag('new') }] });
    expect((await shop.remove('integrations', integration)).status).toBe(200);
    expect(await later()).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
    expect(await requestsTo(host, shop.org_id)).toEqual([]);
  });

  it('it can be canceled, and no later step runs', async () => {
    const { shop, payment, id, later } = await waiting(tag('late'));
    const canceled = await shop.request('POST', `/v1/workflows/executions/${id}/cancel`);
    expect([canceled.status, canceled.body.status, canceled.body.next_step_at]).toEqual([200, 'canceled', null]);
    expect(canceled.body.steps).toMatchObject([
      { id: 'delay', status: 'canceled', ended_at: canceled.body.ended_at, error: null },
    ]);
    expect(await later()).toEqual(canceled.body);
    expect([await requestsTo(host, shop.org_id), (await read(host, payment.id, shop)).metadata]).toEqual([[], {}]);
    const again = await shop.request('POST', `/v1/workflows/executions/${id}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'workflow_execution_over']);
  });

  it('for a retry it can be canceled, and the step fails', async () => {
    const shop = await aWorkflowShop(host);
    await respondWith(host, shop.org_id, 500);
    await shop.when('payment.succeeded', { type: 'http_request', integration_id: (await shop.http(shop.org_id)).id });
    await shop.pay();
    const { id } = await shop.execution();
    const canceled = await shop.request('POST', `/v1/workflows/executions/${id}/cancel`);
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      error: null,
      steps: [{ status: 'failed', tries: 1, ended_at: canceled.body.ended_at }],
    });
    await advance(host, '4h');
    expect([(await shop.execution()).status, (await requestsTo(host, shop.org_id)).length]).toEqual(['canceled', 1]);
  });

  it('it is listed under its status', async () => {
    const { shop, id, later } = await waiting();
    const found = async (status: string) =>
      (await shop.request('GET', `/v1/workflows/executions?status=${status}`)).body.executions.map(
        (each: { id: string }) => each.id,
      );
    expect([await found('waiting'), await found('succeeded')]).toEqual([[id], []]);
    await later();
    expect([await found('waiting'), await found('succeeded')]).toEqual([[], [id]]);
  });
});
