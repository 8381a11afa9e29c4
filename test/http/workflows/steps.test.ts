import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definitions } from '#shared/domain/workflows/workflow.model.ts';
import type { DefinitionChange } from '#shared/ports/workflows.port.ts';
import { subscribe, subscriptionOf } from '#test/support/billing.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, complete, drain, eventsOf, moneyOf, read } from '#test/support/payment-steps.ts';
import {
  aWorkflowShop,
  branches,
  requestsTo,
  respondWith,
  type StepInput,
  stepsOf,
  type WorkflowShop,
} from '#test/support/workflow-shop.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const TAG = { type: 'tag_payment', metadata: { vip: 'yes' } } as const;

/** Started manually for the newest event of the type, because a rule with such steps could not be saved. */
async function runFor(shop: WorkflowShop, type: string, ...steps: readonly StepInput[]): Promise<Body> {
  await drain(host);
  const { events } = (await shop.request('GET', `/v1/webhooks/events?type=${type}`)).body;
  await shop.make('executions', { template_id: (await shop.template(...steps)).id, event_id: events[0].id });
  return shop.execution();
}

describe('a step of the type', () => {
  it('http_request sends the event as a webhook does by default', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http('told');
    await shop.when('payment.succeeded', { type: 'http_request', integration_id });
    const payment = await shop.pay();
    const execution = await shop.execution();
    const event = (await eventsOf(host, payment.id, shop)).find(({ type }) => type === 'payment.succeeded');
    const [request] = await requestsTo(host, 'told');
    const { id, type, created_at, data } = event;
    expect(request?.body).toEqual({
      id: `${execution.id}_http_request`,
      execution_id: execution.id,
      step_id: 'http_request',
      org_id: shop.org_id,
      event: { id, type, created_at, data },
      timestamp: expect.any(Number),
    });
    expect(execution).toMatchObject({
      status: 'succeeded',
      event: { id, type },
      steps: [{ output: { status_code: 200, duration_ms: expect.any(Number) } }],
    });
  });

  it('http_request sends the body of the step with its expressions filled in', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http('filled');
    const body = {
      text: '{{ data.metadata.name }} paid {{ data.amount }} {{ data.currency }}{{ data.metadata.missing }}',
      amount: '{{ data.amount }}',
      inner: [{ event: '{{event.type}}' }, 7, true, null],
      '{{ data.amount }}': 'a name is none',
    };
    await shop.when('payment.succeeded', { type: 'http_request', integration_id, body });
    await shop.pay({ metadata: { name: 'Zoë "{{ data.id }}" <b>' } });
    await shop.execution();
    const [request] = await requestsTo(host, 'filled');
    expect(request?.body).toEqual({
      text: 'Zoë "{{ data.id }}" <b> paid 5000 EUR',
      amount: 5_000,
      inner: [{ event: 'payment.succeeded' }, 7, true, null],
      '{{ data.amount }}': 'a name is none',
    });
  });

  it('tag_payment merges its metadata into the payment, and leaves earlier events unchanged', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { ...TAG, metadata: { vip: 'yes', order: '8' } });
    const payment = await shop.pay({ metadata: { order: '7', color: 'red' } });
    expect(stepsOf(await shop.execution())).toEqual({ tag_payment: 'succeeded' });
    expect((await read(host, payment.id, shop)).metadata).toEqual({ color: 'red', vip: 'yes', order: '8' });
    const before = await eventsOf(host, payment.id, shop);
    expect(before.map(({ data }) => data.metadata)).toEqual([
      { order: '7', color: 'red' },
      { order: '7', color: 'red' },
    ]);
    await act(host, payment.id, 'refund', { amount: 100 }, shop);
    const after = await eventsOf(host, payment.id, shop);
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.at(-1).data.metadata).toEqual({ color: 'red', vip: 'yes', order: '8' });
  });

  it('tag_payment fills in the expressions in its values', async () => {
    const shop = await aWorkflowShop(host);
    const metadata = {
      paid: '{{ data.amount }}',
      by: 'at {{ event.created_at }} by {{ execution.id }}',
      odd: 'plain }}',
      mark: true,
    };
    await shop.when('payment.succeeded', { type: 'tag_payment', metadata });
    const payment = await shop.pay({ metadata: { order: '7' } });
    const { id, status } = await shop.execution();
    const { data, created_at } = (await eventsOf(host, payment.id, shop)).find(
      ({ type }) => type === 'payment.succeeded',
    );
    const tags = { order: '7', paid: data.amount, by: `at ${created_at} by ${id}`, odd: 'plain }}', mark: true };
    expect([status, (await read(host, payment.id, shop)).metadata]).toEqual(['succeeded', tags]);
  });

  it.each<[string, StepInput, string]>([
    [
      'a tag without a value',
      { type: 'tag_payment', metadata: { to: '{{ data.customer_id }}' } },
      'metadata.to: {{ data.customer_id }} has no value.',
    ],
    [
      'a tag that is too long',
      { type: 'tag_payment', metadata: { to: '{{ data.metadata.long }}!' } },
      'metadata.to: Must be text of at most 500 characters',
    ],
    [
      'a reason that is too long',
      { type: 'refund_payment', reason: 'As {{ data.metadata.long }}' },
      'reason: Must have at most 200 characters.',
    ],
    [
      'an empty reason',
      { type: 'refund_payment', reason: '{{ data.customer_id }}' },
      'reason: Must have at least 1 character.',
    ],
  ])('fails for %s, and changes nothing', async (_, step, message) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', step);
    const payment = await shop.pay({ metadata: { long: 'x'.repeat(500) } });
    expect(await shop.execution()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request', message: expect.stringContaining(message) },
    });
    expect(await read(host, payment.id, shop)).toMatchObject({ metadata: payment.metadata, refunds: [] });
    expect((await moneyOf(host, payment.id)).refunded).toBe(0);
  });

  it('tag_payment fails when the payment would have more than 50 keys, and changes nothing', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', TAG);
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key_${n}`, 'x']));
    const payment = await shop.pay({ metadata });
    expect(await shop.execution()).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } });
    expect((await read(host, payment.id, shop)).metadata).toEqual(metadata);
  });

  it('cancel_payment cancels a payment that waits for its customer', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.created', { type: 'delay', for: '30m' }, { type: 'cancel_payment' });
    const payment = await shop.pay({}, 'needs_3ds');
    expect((await shop.execution()).status).toBe('waiting');
    await advance(host, '31m');
    expect(await shop.execution()).toMatchObject({
      status: 'succeeded',
      steps: [
        { type: 'delay' },
        { type: 'cancel_payment', output: { payment_id: payment.id, payment_status: 'canceled' } },
      ],
    });
    expect((await read(host, payment.id, shop)).status).toBe('canceled');
  });

  it('cancel_payment of a succeeded payment fails with the error of the API', async () => {
    const shop = await aWorkflowShop(host);
    const payment = await shop.pay();
    const { error } = await runFor(shop, 'payment.succeeded', { type: 'cancel_payment' });
    const refused = await act(host, payment.id, 'cancel', undefined, shop);
    const { error: _, doc_url: __, ...problem } = refused.body;
    expect([refused.status, error]).toEqual([409, problem]);
    expect((await read(host, payment.id, shop)).status).toBe('succeeded');
  });

  it.each<[string, { readonly amount?: number; readonly reason?: string }, number]>([
    ['the whole amount', {}, 5_000],
    ['a part, with the reason', { amount: 1_200, reason: 'goodwill' }, 1_200],
    ['a part, with a reason from an expression', { amount: 1_200, reason: 'of {{ data.amount }}' }, 1_200],
  ])('refund_payment refunds %s', async (_, more, refunded) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'refund_payment', ...more });
    const payment = await shop.pay();
    const { status, steps } = await shop.execution();
    const { refunds } = await read(host, payment.id, shop);
    expect(refunds).toMatchObject([
      {
        amount: refunded,
        status: 'succeeded',
        ...(more.reason && { reason: more.reason.replace('{{ data.amount }}', '5000') }),
      },
    ]);
    expect([status, steps[0].output]).toEqual([
      'succeeded',
      { payment_id: payment.id, refund_id: refunds[0].id, refund_status: 'succeeded' },
    ]);
    expect((await moneyOf(host, payment.id)).refunded).toBe(refunded);
  });

  it.each<[string, Body, Body]>([
    ['all that is authorized', {}, { status: 'succeeded', captured_amount: 5_000, released_amount: 0 }],
    ['a part, and releases the rest', { amount: 1_200 }, { captured_amount: 1_200, released_amount: 3_800 }],
    ['a part of several', { amount: 1_200, final: false }, { status: 'authorized', captured_amount: 1_200 }],
  ])('capture_payment captures %s', async (_, more, expected) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.authorized', { type: 'capture_payment', ...more });
    const payment = await shop.pay({ capture: 'manual' });
    const { status, steps } = await shop.execution();
    const captured = await read(host, payment.id, shop);
    expect(captured).toMatchObject(expected);
    expect([status, steps[0].output]).toEqual([
      'succeeded',
      { payment_id: payment.id, capture_id: captured.captures[0].id, capture_status: 'succeeded' },
    ]);
  });

  it('capture_payment of more than the rest fails with the code of the API', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.authorized', { type: 'capture_payment', amount: 5_001 });
    const payment = await shop.pay({ capture: 'manual' });
    expect(await shop.execution()).toMatchObject({ status: 'failed', error: { code: 'capture_exceeds_authorized' } });
    expect((await read(host, payment.id, shop)).captures).toEqual([]);
  });

  it('refund_payment of more than the rest fails with the code of the API, without calling the PSP', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'refund_payment', amount: 5_001 });
    const payment = await shop.pay();
    expect(await shop.execution()).toMatchObject({ status: 'failed', error: { code: 'refund_exceeds_remaining' } });
    expect((await moneyOf(host, payment.id)).refunded).toBe(0);
  });

  it.each(['payment.failed', 'payment.created'])(
    'refund_payment fails at %s for a payment that has not been paid',
    async (event) => {
      const shop = await aWorkflowShop(host);
      await shop.when(event, { type: 'refund_payment' });
      await shop.pay({}, 'decline_card_declined');
      expect(await shop.execution()).toMatchObject({ status: 'failed', error: { code: 'payment_not_refundable' } });
    },
  );

  it.each<[string, string, string, Body]>([
    ['is pending at the PSP succeeds', 'pending', 'succeeded', { refund_status: 'pending' }],
    ['is declined by the PSP fails', 'decline:card_declined', 'failed', { refund_status: 'failed' }],
  ])('refund_payment whose refund %s', async (_, behaviour, status, output) => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'refund_payment' });
    await arrange(host, behaviour, { webhook: 'none', times: 1, match: { operation: 'refund' } });
    await shop.pay();
    expect(await shop.execution()).toMatchObject({
      status,
      steps: [{ tries: 1, output }],
      error: status === 'failed' ? { code: 'refund_failed' } : null,
    });
  });

  it('pause_subscription pauses the subscription of the event once', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('subscription.renewed', { type: 'pause_subscription' });
    const subscription = await subscribe(host, {}, shop);
    await advance(host, '32d');
    const { status, steps } = await shop.execution();
    expect([status, steps[0].output]).toEqual([
      'succeeded',
      { subscription_id: subscription.id, subscription_status: 'paused' },
    ]);
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('paused');
  });

  it.each(['payment.failed', 'invoice.created'])('pause_subscription finds the subscription of %s', async (event) => {
    const shop = await aWorkflowShop(host);
    await shop.when(event, { type: 'pause_subscription' });
    if (event === 'payment.failed') await arrange(host, 'decline:insufficient_funds', { times: 1 });
    const subscription = await subscribe(host, {}, shop);
    expect((await shop.executions())[0]).toMatchObject({
      status: 'succeeded',
      steps: [{ output: { subscription_id: subscription.id } }],
    });
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('paused');
  });

  it('pause_subscription of a canceled subscription fails with the code of the API', async () => {
    const shop = await aWorkflowShop(host);
    const subscription = await subscribe(host, {}, shop);
    await host.call('POST', `/v1/subscriptions/${subscription.id}/cancel`, { at_period_end: false }, shop);
    expect(await runFor(shop, 'subscription.canceled', { type: 'pause_subscription' })).toMatchObject({
      status: 'failed',
      error: { code: 'subscription_canceled' },
    });
  });

  it.each<readonly [string, StepInput]>([
    ['refund_payment', { type: 'refund_payment' }],
    ['tag_payment', TAG],
    ['cancel_payment', { type: 'cancel_payment' }],
  ])('%s fails for an event without a payment', async (_, step) => {
    const shop = await aWorkflowShop(host);
    await subscribe(host, { start_at: new Date(host.clock.now().getTime() + 86_400_000).toISOString() }, shop);
    expect(await runFor(shop, 'subscription.created', step)).toMatchObject({
      status: 'failed',
      error: { code: 'not_found' },
    });
  });

  it('pause_subscription fails for an event without a subscription', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'pause_subscription' });
    await shop.pay();
    expect(await shop.execution()).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  });

  it('refund_payment refunds the payment of a payment link', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment_link.paid', { type: 'refund_payment' });
    const link = await aLink(host, {}, shop.key);
    const visitor = aGuest(host);
    await visitor.submit(await visitor.open(link.url), 'start');
    const { payments } = (await shop.request('GET', '/v1/payments')).body;
    const reference = (await host.deps.payments.byId(payments[0].id))?.attempts[0]?.psp_reference;
    await complete(host, String(reference), 'succeeded');
    expect(await shop.execution()).toMatchObject({ status: 'succeeded' });
    expect((await moneyOf(host, payments[0].id)).refunded).toBe(payments[0].amount);
  });

  it('refund_payment refunds the payment of an invoice', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('invoice.paid', { type: 'refund_payment', amount: 90 });
    const subscription = await subscribe(host, {}, shop);
    const { status, steps } = await shop.execution();
    const { payments } = (await shop.request('GET', `/v1/payments?customer_id=${subscription.customer_id}`)).body;
    expect([status, steps[0].output.payment_id, (await moneyOf(host, payments[0].id)).refunded]).toEqual([
      'succeeded',
      payments[0].id,
      90,
    ]);
  });
});

describe('a condition', () => {
  const branching = (integration_id: string, more: Body = {}): readonly StepInput[] => [
    { id: 'call', type: 'http_request', integration_id, ...more },
    { id: 'ask', type: 'condition', if: 'steps.call.status_code == 202', ...branches('good', 'bad') },
    { id: 'good', ...TAG, metadata: { way: 'good' }, next: null },
    { id: 'bad', ...TAG, metadata: { way: 'bad' } },
  ];

  it.each<[string, readonly number[], Body]>([
    ['yes after a while', [425, 425, 200], { ask: 'succeeded', known: 'succeeded', tag_payment: 'succeeded' }],
    ['no after a while', [425, 403], { ask: 'failed', known: 'succeeded' }],
    ['nothing until the last attempt', [425], { ask: 'failed', known: 'succeeded' }],
  ])('waits for a person who answers %s, as in the example of the documentation', async (_, answers, steps) => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http(shop.org_id);
    await respondWith(host, shop.org_id, ...answers);
    const asked = {
      id: 'ask',
      type: 'http_request',
      integration_id,
      on_error: 'continue',
      body: { execution: '{{ execution.id }}' },
    } as const;
    await shop.when(
      'payment.succeeded',
      asked,
      { id: 'known', type: 'condition', if: 'steps.ask.status_code == 200' },
      TAG,
    );
    await shop.pay();
    expect(await shop.execution()).toMatchObject({ status: 'waiting' });
    for (const time of ['5s', '1m', '5m', '30m', '2h']) await advance(host, time);
    const execution = await shop.execution();
    const requests = await requestsTo(host, shop.org_id);
    expect([execution.status, stepsOf(execution), requests.length]).toEqual([
      'succeeded',
      steps,
      answers.length === 1 ? 6 : answers.length,
    ]);
    expect(requests[0]?.body).toEqual({ execution: execution.id });
  });

  it.each([
    ['the output of an earlier step', 202, {}, 'good', true],
    ['another output of an earlier step', 200, {}, 'bad', false],
    ['the status of a failed step', 404, { on_error: 'continue' }, 'bad', false],
  ])('branches on %s', async (_, answer, more, way, holds) => {
    const shop = await aWorkflowShop(host);
    await host.control('PUT', `/receiver/${shop.org_id}`, { status: answer });
    await shop.when('payment.succeeded', ...branching((await shop.http(shop.org_id)).id, more));
    const payment = await shop.pay();
    const { status, steps } = await shop.execution();
    expect([status, steps.map(({ id }: Body) => id), steps[1].output]).toEqual([
      'succeeded',
      ['call', 'ask', way],
      { holds },
    ]);
    expect((await read(host, payment.id, shop)).metadata).toEqual({ way });
  });

  it('that is false ends the execution unless it has an else branch', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'condition', if: 'data.amount > 5000' }, TAG);
    for (const amount of [5_000, 5_001]) await shop.pay({ amount });
    const executions = await shop.executions();
    expect(executions.map((each) => [each.status, stepsOf(each)])).toEqual([
      ['succeeded', { condition: 'succeeded' }],
      ['succeeded', { condition: 'succeeded', tag_payment: 'succeeded' }],
    ]);
  });

  it('without a value fails, or counts as false when the step says on_error: continue', async () => {
    const shop = await aWorkflowShop(host);
    const ask: StepInput = {
      type: 'condition',
      if: 'data.metadata.tier == "gold"',
      ...branches(undefined, 'tag_payment'),
    };
    const strict = await shop.when('payment.succeeded', ask, TAG);
    await shop.when('payment.succeeded', { ...ask, on_error: 'continue' }, TAG);
    await shop.pay();
    const [stopped, went] = (await shop.executions()).sort((a) => (a.rule_id === strict.id ? -1 : 1));
    expect(stopped).toMatchObject({
      status: 'failed',
      error: { code: 'condition_without_value' },
      steps: [{ status: 'failed' }],
    });
    expect([went.status, stepsOf(went)]).toEqual(['succeeded', { condition: 'failed', tag_payment: 'succeeded' }]);
  });

  it('can check whether a step was skipped', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when(
      'payment.succeeded',
      { id: 'skip', type: 'condition', if: 'false', ...branches(undefined, 'last') },
      { id: 'never', ...TAG },
      { id: 'last', type: 'condition', if: 'has(steps.never)' },
    );
    await shop.pay();
    expect((await shop.execution()).steps.map(({ output }: Body) => output.holds)).toEqual([false, false]);
  });
});

describe('a definition that was saved before a check existed', () => {
  it('runs as before, and can be renamed', async () => {
    const shop = await aWorkflowShop(host);
    const rule = await shop.when('payment.succeeded', TAG, { id: 'last', type: 'condition', if: 'true' });
    const { workflows } = host.deps;
    const save = async (change: (definitions: Definitions) => DefinitionChange) => {
      const definitions = await workflows.definitions(shop.org_id);
      expect(await workflows.change(shop.org_id, definitions, change(definitions))).toBe(true);
    };
    await save(({ rules }) => ({ kind: 'rule', save: { ...rules[0]!, condition: '!has(steps.nope)', version: 2 } }));
    await save(({ templates: [template] }) => {
      const steps = template!.steps.map((step) =>
        step.type === 'condition' ? { ...step, if: 'has(steps.nope)' } : step,
      );
      return { kind: 'template', save: { ...template!, steps, version: 2 } };
    });
    await shop.change('rules', rule, { name: 'Other' });
    await shop.change('templates', { id: rule.template_id }, { name: 'Other' });
    await shop.pay();
    const { status, steps } = await shop.execution();
    expect([status, steps.map(({ output }: Body) => output.holds)]).toEqual(['succeeded', [undefined, false]]);
  });
});

describe('a template', () => {
  it('of 25 steps runs completely and in order within one worker', async () => {
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.http(`long-${shop.org_id}`);
    const steps = Array.from(
      { length: 25 },
      (_, n): StepInput => ({ id: `step_${n}`, type: 'http_request', integration_id, body: { n } }),
    );
    await shop.when('payment.succeeded', ...steps);
    await shop.pay();
    const { status, steps: walked } = await shop.execution();
    expect([status, walked.map(({ id }: Body) => id)]).toEqual(['succeeded', steps.map(({ id }) => id)]);
    const requests = await requestsTo(host, `long-${shop.org_id}`);
    expect(requests.map(({ body }) => body.n)).toEqual(steps.map((_, n) => n));
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(25);
  });

  it('can be started manually for the same event as often as wanted', async () => {
    const shop = await aWorkflowShop(host);
    const { id: template_id } = await shop.template(TAG);
    const payment = await shop.pay();
    const [event] = await eventsOf(host, payment.id, shop);
    const made = [];
    for (let n = 0; n < 2; n += 1) made.push(await shop.make('executions', { template_id, event_id: event.id }));
    const executions = await shop.executions();
    expect(made).toMatchObject([{ status: 'pending', rule_id: null, connection_id: null }, { status: 'pending' }]);
    expect(executions.map(({ id, status }) => [id, status]).sort()).toEqual(
      made.map(({ id }) => [id, 'succeeded']).sort(),
    );
    expect((await read(host, payment.id, shop)).metadata).toEqual({ vip: 'yes' });
  });
});
