import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { putMixed } from '#test/bench/mixed-payments.ts';
import { unitLedger } from '#test/bench/unit-ledger.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anOwner } from '#test/support/members.ts';
import { aRefund } from '#test/support/payment.builder.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  askProvider,
  complete,
  drain,
  keyWith,
  pay,
  payAnywhere,
  payOnPage,
  type Shop,
} from '#test/support/payment-steps.ts';
import { aWorkflowShop, type WorkflowShop, workflowShopOf } from '#test/support/workflow-shop.ts';

const ledger = unitLedger();
let bare: TablePort;
let host: TestHost;
let shop: Shop;
let flows: WorkflowShop;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) => {
      bare = table;
      return ledger.through(table);
    },
  });
  shop = await aShop(host, { conn_a: {}, conn_b: {} });
  flows = workflowShopOf(host, shop);
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const how = () => ({ key: shop.key });
const ask = (id: string, key = shop.key) => host.call('GET', `/v1/payments/${id}/timeline`, undefined, { key });
async function timeline(id: string, key = shop.key): Promise<Body> {
  await drain(host);
  return (await ask(id, key)).body;
}
const ofKind = ({ entries }: Body, kind: string): Body[] => entries.filter((entry: Body) => entry.kind === kind);
const kinds = ({ entries }: Body): string[] => entries.map(({ kind }: Body) => kind);

describe('GET /v1/payments/{id}/timeline', () => {
  it('tells a payment from its creation to the delivery of its refund, in order', async () => {
    await host.call(
      'POST',
      '/v1/webhooks/config',
      { url: `${host.controlUrl}/receiver/shop/hook`, events: ['*'] },
      how(),
    );
    const payment = await pay(host, 'ok', {}, how());
    const key = await keyWith(host, ['payments:read', 'payments:write', 'webhooks:read'], how());
    await act(host, payment.id, 'refund', { amount: 1_200, reason: 'too late' }, { key });
    const told = await timeline(payment.id);
    expect(told).toMatchObject({ payment_id: payment.id, complete: true, hidden: [] });
    expect(new Set(kinds(told))).toEqual(new Set(['created', 'routed', 'attempt', 'refund', 'action', 'event']));
    const times = told.entries.map(({ at }: Body) => at);
    expect(times).toEqual(times.toSorted());
    expect(ofKind(told, 'event')).toMatchObject(
      ['payment.created', 'payment.succeeded', 'payment.refunded'].map((type) => ({
        type,
        status: 'delivered',
        deliveries: [{ status_code: 200, error: null }],
        request_id: expect.any(String),
      })),
    );
    const [refund] = ofKind(told, 'refund');
    expect(refund).toMatchObject({ amount: 1_200, currency: 'EUR', status: 'succeeded', reason: 'too late' });
    expect(ofKind(told, 'action')).toMatchObject([
      {
        action: 'refund',
        by: { type: 'api_key' },
        resource_id: refund.refund_id,
        text: 'An API key asked for a refund.',
      },
    ]);
  });

  it('names who asked once, also if the request is repeated', async () => {
    const payment = await pay(host, 'ok', {}, how());
    const repeated = { ...how(), idempotencyKey: 'one-refund' };
    await act(host, payment.id, 'refund', { amount: 100 }, repeated);
    await act(host, payment.id, 'refund', { amount: 100 }, repeated);
    expect(ofKind(await timeline(payment.id), 'action')).toHaveLength(1);
  });

  it('notes the end of a review as that alone, also where a refund follows from it', async () => {
    const { id, connection_id } = await pay(host, 'decline_insufficient_funds', {}, how());
    const names = { 'metadata[org_id]': shop.org_id, 'metadata[connection_id]': connection_id };
    await askProvider(host, shop.credentials[connection_id]!.secret_key, 'POST', '/v1/payment_intents', {
      ...{ ...names, 'metadata[payment_id]': id, amount: '700', currency: 'eur', confirm: 'true' },
      ...{ payment_method: 'ok', return_url: 'https://shop.example/' },
    });
    await drain(host);
    await act(host, id, 'cancel', undefined, how());
    const told = await timeline(id);
    expect(ofKind(told, 'refund')).toMatchObject([{ amount: 700, is_automatic: true }]);
    expect(ofKind(told, 'action').map(({ text }) => text)).toEqual(['An API key ended its review.']);
  });

  it('says that a retry found no connection, and when, and not that one was chosen', async () => {
    const lone = await aShop(host, { only: {} });
    const by = { key: lone.key };
    const { id } = await pay(host, 'decline_insufficient_funds', {}, by);
    await host.call('PATCH', '/v1/connections/only/status', { status: 'inactive' }, by);
    const { body } = await act(host, id, 'retry', undefined, by);
    expect(body.failure.code).toBe('no_route');
    const told = await timeline(id, lone.key);
    const [retry] = ofKind(told, 'action');
    expect(ofKind(told, 'routed')).toMatchObject([
      { at: retry!.at, text: 'No routing rule matched: default routing found no connection that could take it.' },
    ]);
  });

  it('says why each connection was chosen, and each decline in plain words', async () => {
    const { body: rule } = await host.call(
      'POST',
      '/v1/routing-rules',
      { name: 'Dutch', countries: ['NL'], connection_id: 'conn_b', priority: 5 },
      how(),
    );
    const byRule = await pay(host, 'decline_insufficient_funds', { country: 'NL' }, how());
    const told = await timeline(byRule.id);
    expect(ofKind(told, 'routed')).toMatchObject([
      { source: 'rule', rule_id: rule.id, text: `Routing rule ${rule.id} chose conn_b.` },
    ]);
    expect(ofKind(told, 'attempt')).toMatchObject([
      {
        number: 1,
        connection_id: 'conn_b',
        status: 'failed',
        is_known: true,
        failure: { code: 'insufficient_funds', category: 'soft_decline' },
        latency_ms: expect.any(Number),
        text: 'Attempt 1 at stripe: it failed. The account has insufficient funds.',
      },
    ]);
  });

  it('shows each attempt of a failover', async () => {
    await arrange(host, 'decline:issuer_unavailable');
    const payment = await payAnywhere(host, 'ok', {}, how());
    const { attempts } = (await host.call('GET', `/v1/payments/${payment.id}`, undefined, how())).body;
    const told = ofKind(await timeline(payment.id), 'attempt');
    expect(told.map(({ attempt_id, connection_id }) => [attempt_id, connection_id])).toEqual(
      attempts.map(({ id, connection_id }: Body) => [id, connection_id]),
    );
    expect(told.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(told[0]!.text).toBe('Attempt 1 at stripe: it failed. The issuer could not be reached.');
  });

  it('shows captures, the release of the rest, and a dispute with its answer', async () => {
    const held = await pay(host, 'ok', { capture: 'manual' }, how());
    await act(host, held.id, 'capture', { amount: 2_000, final: true }, how());
    const told = await timeline(held.id);
    expect(ofKind(told, 'capture')).toMatchObject([{ amount: 2_000, status: 'succeeded', final: true }]);
    expect(ofKind(told, 'action')).toMatchObject([{ action: 'capture' }]);
    const { body: opened } = await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: held.id });
    await drain(host);
    const [dispute] = (await host.call('GET', `/v1/disputes?payment_id=${held.id}`, undefined, how())).body.disputes;
    await host.call('POST', `/v1/disputes/${dispute.id}/accept`, {}, how());
    const disputed = await timeline(held.id);
    expect(opened.reference).toBe(dispute.psp_reference);
    expect(ofKind(disputed, 'dispute')).toMatchObject([{ dispute_id: dispute.id, amount: dispute.amount }]);
    expect(ofKind(disputed, 'dispute_answer')).toMatchObject([{ answer: 'accept', by: { type: 'api_key' } }]);
  });

  it('shows the workflow runs that its events have started, and where they stand', async () => {
    await flows.when('payment.succeeded', { type: 'delay', for: '1d' });
    const payment = await flows.pay();
    const told = await timeline(payment.id);
    const [run] = ofKind(told, 'workflow_run');
    const stored = (await host.call('GET', '/v1/workflows/executions', undefined, how())).body.executions;
    expect(run).toMatchObject({
      execution_id: stored[0].id,
      status: 'waiting',
      steps: [{ type: 'delay', status: 'running' }],
      next_step_at: expect.any(String),
    });
  });

  it('leaves out what the caller has no scope for, and says so', async () => {
    const payment = await flows.pay();
    const told = await timeline(payment.id, await keyWith(host, ['payments:read'], how()));
    expect(told.hidden).toEqual(['webhooks:read', 'workflows:read']);
    expect([...ofKind(told, 'event'), ...ofKind(told, 'workflow_run')]).toEqual([]);
  });

  it('shows events of a payment that an earlier release has left without their times, and that some may be missing', async () => {
    const payment = await pay(host, 'ok', {}, how());
    await drain(host);
    const stored = (await host.deps.payments.get(shop.org_id, payment.id))!;
    const { event_ms: _, ...older } = stored;
    await host.deps.payments.change(stored, () => older);
    expect(ofKind(await timeline(payment.id), 'event')).toHaveLength(2);
    await act(host, payment.id, 'refund', { amount: 100 }, how());
    const later = await timeline(payment.id);
    expect(ofKind(later, 'event').map(({ type }) => type)).toEqual(['payment.created', 'payment.refunded']);
    expect(later.complete).toBe(false);
  });

  it('shows the newest thousand of very many entries, and says that there are more', async () => {
    const { id } = await pay(host, 'ok', {}, how());
    await drain(host);
    const stored = (await host.deps.payments.get(shop.org_id, id))!;
    const created = Date.parse(stored.created_at);
    const refunds = Array.from({ length: 1_100 }, (_, n) =>
      aRefund({ id: `ref_${n}`, amount: 1, created_at: new Date(created + n * 1_000).toISOString() }),
    );
    await host.deps.payments.change(stored, (payment) => ({ ...payment, refunds }));
    const told = (await ask(id)).body;
    expect([told.complete, told.entries.length]).toEqual([false, 1_000]);
    expect(told.entries.at(-1)).toMatchObject({ kind: 'refund', refund_id: 'ref_1099' });
  });

  describe('says for whom, or by what, it was done', () => {
    const causes = (told: Body): Body =>
      Object.fromEntries(ofKind(told, 'event').map(({ type, cause }) => [type.replace('payment.', ''), cause]));
    const anApiKey = { type: 'api_key', id: expect.stringMatching(/^key_/) };

    it('names the key that created it, and the key that asked for the refund', async () => {
      const payment = await pay(host, 'ok', {}, how());
      const other = await keyWith(host, ['payments:write', 'payments:read'], how());
      await act(host, payment.id, 'refund', { amount: 100 }, { key: other });
      const told = await timeline(payment.id);
      expect(ofKind(told, 'created')).toMatchObject([{ by: anApiKey }]);
      const { created, succeeded, refunded } = causes(told);
      expect([created, succeeded, refunded]).toEqual([anApiKey, anApiKey, anApiKey]);
      expect([created.id === succeeded.id, created.id === refunded.id]).toEqual([true, false]);
      expect(ofKind(told, 'action')[0]!.by).toEqual(refunded);
    });

    it('names a member who created it, also before its first event is published', async () => {
      const owner = await anOwner(host);
      const { body } = await owner.request('POST', '/v1/payments/intents', { amount: 500, currency: 'EUR' });
      const told = await owner.request('GET', `/v1/payments/${body.id}/timeline`);
      expect(ofKind(told.body, 'created')).toMatchObject([{ by: { type: 'user', id: owner.user.id } }]);
    });

    it("tells a provider's callback that ended it", async () => {
      await arrange(host, 'pending', { webhook: 'normal' });
      const payment = await pay(host, 'ok', {}, how());
      await complete(host, payment.id, 'succeeded');
      const told = await timeline(payment.id);
      expect(causes(told)).toEqual({ created: anApiKey, succeeded: { type: 'provider', id: null } });
      expect(ofKind(told, 'callback')).toMatchObject([
        { provider: 'stripe', type: 'payment.succeeded', text: 'A callback of stripe reported it: payment.succeeded.' },
      ]);
    });

    it('tells a timer that found out how it ended', async () => {
      await arrange(host, 'pending', { webhook: 'none' });
      const payment = await pay(host, 'ok', {}, how());
      await complete(host, payment.id, 'succeeded');
      await advance(host, '1h');
      const told = await timeline(payment.id);
      expect(causes(told)).toEqual({ created: anApiKey, succeeded: { type: 'timer', id: null } });
      expect(ofKind(told, 'callback')).toEqual([]);
    });

    it('tells a customer who came back, and nobody where a read found out', async () => {
      await arrange(host, 'approve', { webhook: 'none' });
      const [returned, asked] = [await payOnPage(host, {}, how()), await payOnPage(host, {}, how())];
      const paid = new URLSearchParams({ do: 'pay' });
      const press = ({ next_action }: Body) =>
        fetch(next_action.url, { method: 'POST', body: paid, redirect: 'manual' });
      await fetch((await press(returned)).headers.get('location')!);
      await press(asked);
      await advance(host, '1m');
      await host.call('GET', `/v1/payments/${asked.id}`, undefined, how());
      expect(causes(await timeline(returned.id)).succeeded).toEqual({ type: 'customer', id: null });
    });

    it('names the workflow run that refunded it', async () => {
      const own = await aWorkflowShop(host);
      await own.when('payment.succeeded', { type: 'refund_payment' });
      const payment = await own.pay();
      const told = await timeline(payment.id, own.key);
      const [run] = ofKind(told, 'workflow_run');
      const by = { type: 'workflow_run', id: run!.execution_id };
      expect(ofKind(told, 'action')).toMatchObject([
        { action: 'refund', by, text: 'A workflow run asked for a refund.' },
      ]);
      expect(causes(told).refunded).toEqual(by);
    });

    it('shows the events of a dispute, and who answered it', async () => {
      const payment = await pay(host, 'ok', {}, how());
      await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: payment.id });
      await drain(host);
      const [dispute] = (await host.call('GET', `/v1/disputes?payment_id=${payment.id}`, undefined, how())).body
        .disputes;
      await host.call('POST', `/v1/disputes/${dispute.id}/accept`, {}, how());
      const told = await timeline(payment.id);
      expect(told.complete).toBe(true);
      const events = ofKind(told, 'event').filter(({ dispute_id }) => dispute_id === dispute.id);
      expect(events.map(({ type }) => type)).toEqual(['dispute.created', 'dispute.closed']);
      expect(events.map(({ cause }) => cause)).toEqual([{ type: 'provider', id: null }, anApiKey]);
    });

    it('tells nothing of what an earlier release wrote', async () => {
      const payment = await pay(host, 'ok', {}, how());
      for (const { event_id } of ofKind(await timeline(payment.id), 'event')) {
        const { trace, ...older } = (await bare.get(keys.event(shop.org_id, event_id)))!;
        expect(trace).toMatch(/ ~key_/);
        await bare.put({ ...older, trace: String(trace).replace(/ ~.*/, '') } as Item);
      }
      const told = await timeline(payment.id);
      expect(ofKind(told, 'created')).toMatchObject([{ by: null }]);
      expect(ofKind(told, 'event').map(({ cause }) => cause)).toEqual([null, null]);
    });
  });

  it('is not found in another organization', async () => {
    const payment = await pay(host, 'ok', {}, how());
    const other = await aShop(host, { conn_a: {} });
    expect(await ask(payment.id, other.key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('reads as many units with thousands of payments beside it as with a few', async () => {
    const payment = await pay(host, 'ok', {}, how());
    await drain(host);
    const rru = async () => {
      const { lines } = await ledger.of(host, () => ask(payment.id));
      return lines.filter(({ group }) => group === 'payment-timeline').reduce((sum, line) => sum + line.rru, 0);
    };
    // What a process keeps for some seconds is read first.
    await rru();
    const few = await rru();
    await putMixed(bare, shop.org_id, 0, 2_000);
    expect(await rru()).toBeLessThanOrEqual(few);
    expect(few).toBeLessThanOrEqual(6);
  });
});
