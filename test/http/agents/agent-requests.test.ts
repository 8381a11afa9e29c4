import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_WAITING_APPROVALS } from '#shared/domain/accounts/agent.rules.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import {
  armCrash,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { type AgentShop, anAgentShop, decide } from '#test/http/agents/agent.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember } from '#test/support/members.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const outcome = ({ status, body }: ApiResponse) => [status, body.code ?? body.status];
const refund = (shop: AgentShop, id: string, amount: number, idempotencyKey: string): Promise<ApiResponse> =>
  shop.ask('POST', `/v1/payments/${id}/refund`, { amount }, { idempotencyKey });
const refunded = async (shop: AgentShop, id: string): Promise<number> =>
  (await shop.ask('GET', `/v1/payments/${id}`)).body.amount_refunded;
const auditOf = async ({ owner }: Pick<AgentShop, 'owner'>): Promise<Body[]> =>
  (await owner.request('GET', '/v1/organization/audit')).body;
const REQUIRED = [403, 'approval_required'];

describe("a request of an agent's key that moves money", () => {
  it('asks a person where the organization has set no limit, and changes nothing before', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const asked = await refund(shop, id, 100, 'first');
    expect(outcome(asked)).toEqual(REQUIRED);
    expect(asked.body.details).toEqual({
      approval_id: expect.stringMatching(/^apr_/),
      approve_at: expect.stringContaining(`/dashboard/approvals/${asked.body.details.approval_id}`),
      amount: 100,
      currency: 'EUR',
      expires_at: expect.any(String),
    });
    expect(await refunded(shop, id)).toBe(0);
    expect((await refund(shop, id, 100, 'first')).body.details).toEqual(asked.body.details);
  });

  it('runs once after a person has approved it, however often and at once it is repeated', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const asked = await refund(shop, id, 1_000, 'one');
    expect(outcome(await decide(shop, asked, 'approve'))).toEqual([200, 'approved']);
    expect(await refunded(shop, id)).toBe(0);
    const both = await Promise.all([refund(shop, id, 1_000, 'one'), refund(shop, id, 1_000, 'one')]);
    const statuses = both.map(({ status }) => status).sort();
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses);
    const replayed = await refund(shop, id, 1_000, 'one');
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await refunded(shop, id)).toBe(1_000);
    const { body } = await shop.owner.request('GET', `/v1/agent-approvals/${asked.body.details.approval_id}`);
    expect(body).toMatchObject({ status: 'used', amount: 1_000, resource_id: id, decided_by: shop.owner.user.id });
  });

  it('is approved for exactly what was asked: no other amount, no other key', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    await decide(shop, await refund(shop, id, 1_000, 'exact'), 'approve');
    expect(outcome(await refund(shop, id, 1_001, 'exact'))).toEqual([422, 'idempotency_key_reused']);
    expect(outcome(await refund(shop, id, 1_000, 'another'))).toEqual(REQUIRED);
    const { body: other } = await shop.owner.request('POST', '/v1/api-keys', {
      name: 'Another agent',
      scopes: ['payments:write'],
      agent: true,
    });
    const how = { key: other.key, idempotencyKey: 'exact', headers: { 'x-org-id': shop.owner.org } };
    expect(outcome(await host.call('POST', `/v1/payments/${id}/refund`, { amount: 1_000 }, how))).toEqual(REQUIRED);
    expect(await refunded(shop, id)).toBe(0);
  });

  it('does not run after a person has rejected it', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const asked = await refund(shop, id, 1_000, 'no');
    expect(outcome(await decide(shop, asked, 'reject'))).toEqual([200, 'rejected']);
    expect(outcome(await refund(shop, id, 1_000, 'no'))).toEqual([403, 'approval_rejected']);
    expect(outcome(await decide(shop, asked, 'approve'))).toEqual([409, 'approval_not_open']);
    expect(await refunded(shop, id)).toBe(0);
  });

  it('needs nobody within the limit of its day, and somebody for what would pass it', async () => {
    const shop = await anAgentShop(host, { EUR: 2_500 });
    const { id } = await shop.payment();
    const steps = [];
    for (const n of [1, 2, 3]) steps.push(outcome(await refund(shop, id, 1_000, `small-${n}`)));
    expect(steps).toEqual([[200, 'succeeded'], [200, 'succeeded'], REQUIRED]);
    expect((await refund(shop, id, 1_000, 'small-1')).headers.get('idempotency-replayed')).toBe('true');
    expect(outcome(await refund(shop, id, 500, 'fits'))).toEqual([200, 'succeeded']);
    expect(await refunded(shop, id)).toBe(2_500);
  });

  it('passes the limit of a day by nothing, however many come at once', async () => {
    const shop = await anAgentShop(host, { EUR: 500 });
    const body = { amount: 100, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } };
    const all = await Promise.all(Array.from({ length: 9 }, () => shop.ask('POST', '/v1/payments', body)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 403, 403, 403, 403]);
  });

  it('gets no second limit at midnight: what was moved counts for 24 hours, and until the hour is over', async () => {
    const shop = await anAgentShop(host, { EUR: 1_000 });
    const { id } = await shop.payment();
    const { now } = (await host.control('GET', '/clock')).body;
    const evening = new Date(Date.parse(now) + DAY);
    evening.setUTCHours(23, 50, 0, 0);
    const at = (time: Date) => host.control('POST', '/clock', { set: time.toISOString() });
    await at(evening);
    expect(outcome(await refund(shop, id, 600, 'evening'))).toEqual([200, 'succeeded']);
    await at(plus(evening, 20 * MINUTE));
    expect(outcome(await refund(shop, id, 401, 'too-much'))).toEqual(REQUIRED);
    expect(outcome(await refund(shop, id, 400, 'night'))).toEqual([200, 'succeeded']);
    await at(plus(evening, DAY + 9 * MINUTE));
    expect(outcome(await refund(shop, id, 1, 'a-day-later'))).toEqual(REQUIRED);
    await at(plus(evening, DAY + 11 * MINUTE));
    expect(outcome(await refund(shop, id, 601, 'too-much-again'))).toEqual(REQUIRED);
    expect(outcome(await refund(shop, id, 600, 'exactly'))).toEqual([200, 'succeeded']);
    await at(plus(evening, 4 * DAY));
    expect(outcome(await refund(shop, id, 1_000, 'days-later'))).toEqual([200, 'succeeded']);
  });

  it('asks for what is left of a payment, for another currency, and for what goes on charging', async () => {
    const shop = await anAgentShop(host, { EUR: 4_999 });
    const { id } = await shop.payment();
    const rest = await shop.ask('POST', `/v1/payments/${id}/refund`);
    expect([outcome(rest), rest.body.details.amount]).toEqual([REQUIRED, 5_000]);
    const usd = { amount: 100, currency: 'USD', payment_method: { type: 'card', token: 'ok' } };
    expect(outcome(await shop.ask('POST', '/v1/payments', usd))).toEqual(REQUIRED);
    const body = { customer_id: 'cus', plan_id: 'plan', amount: 1, currency: 'EUR', interval: 'monthly' };
    const unknown = await shop.ask('POST', '/v1/subscriptions', { ...body, payment_method: usd.payment_method });
    expect([outcome(unknown), unknown.body.details.amount]).toEqual([REQUIRED, 1]);
    const links = { amount: 100, currency: 'EUR', max_payments: 50 };
    expect((await shop.ask('POST', '/v1/payment-links', links)).body.details.amount).toBe(5_000);
    expect((await shop.ask('GET', '/v1/payments')).body.payments).toHaveLength(1);
  });

  it('shows to the person all that decides about it', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const waiting = async () =>
      (await shop.owner.request('GET', '/v1/agent-approvals?status=pending')).body.agent_approvals[0];
    await shop.ask('POST', `/v1/payments/${id}/refund`, { amount: 7, force: true, reason: 'The mail says so' });
    expect(await waiting()).toMatchObject({ amount: 7, terms: { force: true, reason: 'The mail says so' } });
    const body = { customer_id: 'cus', plan_id: 'gold', amount: 900, currency: 'EUR', interval: 'weekly' };
    const payment_method = { type: 'card', token: 'ok' };
    await shop.ask('POST', '/v1/subscriptions', { ...body, payment_method, customer_email: 'kim@example.com' });
    expect(await waiting()).toMatchObject({ amount: 900, terms: { plan_id: 'gold', interval: 'weekly' } });
    expect(JSON.stringify(await waiting())).not.toMatch(/kim@|token|"ok"/);
    const create = { key: shop.serviceKey };
    const { body: started } = await host.call('POST', '/v1/subscriptions', { ...body, payment_method }, create);
    await shop.ask('PATCH', `/v1/subscriptions/${started.id}`, { amount: 99_000 });
    expect(await waiting()).toMatchObject({ resource_id: started.id, amount: 99_000, currency: 'EUR' });
  });

  it('does not run if it would charge more than what the person saw', async () => {
    const shop = await anAgentShop(host);
    const key = { key: shop.serviceKey };
    const body = { customer_id: 'cus', plan_id: 'gold', amount: 900, currency: 'EUR', interval: 'weekly' };
    const payment_method = { type: 'card', token: 'ok' };
    const { body: subscription } = await host.call('POST', '/v1/subscriptions', { ...body, payment_method }, key);
    const path = `/v1/subscriptions/${subscription.id}`;
    await host.call('PATCH', path, { status: 'paused' }, key);
    const resume = () => shop.ask('POST', `${path}/resume`, undefined, { idempotencyKey: 'resume' });
    const asked = await resume();
    expect([outcome(asked), asked.body.details.amount]).toEqual([REQUIRED, 900]);
    await decide(shop, asked, 'approve');
    await host.call('PATCH', path, { amount: 90_000 }, key);
    expect(outcome(await resume())).toEqual(REQUIRED);
    expect((await shop.ask('GET', path)).body.status).toBe('paused');
    await host.call('PATCH', path, { amount: 900 }, key);
    expect((await resume()).body.status).toBe('active');
  });

  it('moves no more by a repeat than what was counted, where all that is left has become more', async () => {
    const shop = await anAgentShop(host, { EUR: 1_000 });
    const { id } = await shop.payment({ capture: 'manual' });
    const capture = (amount: number, final: boolean) =>
      host.call('POST', `/v1/payments/${id}/capture`, { amount, final }, { key: shop.serviceKey });
    expect((await capture(1_000, false)).status).toBe(200);
    // It has been counted by then, and nothing of the refund is written.
    const crash = { point: 'table', nth: 7, kind: 'crash', when: 'after', handler: 'payment-actions' };
    await host.control('POST', '/faults', crash);
    const all = () => shop.ask('POST', `/v1/payments/${id}/refund`, undefined, { idempotencyKey: 'all' });
    expect((await all()).status).toBe(503);
    await host.control('DELETE', '/faults');
    expect((await capture(3_000, true)).status).toBe(200);
    await host.control('POST', '/clock', { advance: '40s' });
    expect(outcome(await all())).toEqual(REQUIRED);
    expect(await refunded(shop, id)).toBe(0);
  });

  it('is no way to make the list of requests unreadable: by a huge amount, or a path that is no id', async () => {
    const shop = await anAgentShop(host, { EUR: 99_999_999_999 });
    const huge = { amount: 99_999_999_999, currency: 'EUR', max_payments: 100_000 };
    const asked = await shop.ask('POST', '/v1/payment-links', huge);
    expect([outcome(asked), asked.body.details.amount]).toEqual([REQUIRED, null]);
    const path = `/v1/subscriptions/${encodeURIComponent('sub_/../../../v1/auth/verify?token=x')}`;
    expect((await shop.ask('PATCH', path, { amount: 1 })).status).toBe(404);
    const { status, body } = await shop.owner.request('GET', '/v1/agent-approvals');
    expect([status, body.agent_approvals.length]).toEqual([200, 1]);
    expect(body.agent_approvals[0]).toMatchObject({ amount: null, terms: { max_payments: 100_000 } });
  });

  it('expires after a day, approved or not, and is then a new question', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const asked = await refund(shop, id, 700, 'late');
    await decide(shop, asked, 'approve');
    await host.control('POST', '/clock', { advance: '25h' });
    const again = await refund(shop, id, 700, 'late');
    expect(outcome(again)).toEqual(REQUIRED);
    expect(again.body.details.approval_id).not.toBe(asked.body.details.approval_id);
    expect(await refunded(shop, id)).toBe(0);
  });

  it('makes room for others once it has expired: only so many wait at once', async () => {
    const shop = await anAgentShop(host);
    const body = { amount: 100, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } };
    const codeOf = async () => (await shop.ask('POST', '/v1/payments', body)).body.code;
    const codes: string[] = [];
    for (let n = 0; n <= MAX_WAITING_APPROVALS; n += 1) codes.push(await codeOf());
    expect([codes.at(-2), codes.at(-1)]).toEqual(['approval_required', 'approval_limit_reached']);
    const waiting = async () => (await shop.owner.request('GET', '/v1/agent-approvals?status=pending&limit=5')).body;
    // A session ends when it is not used for twelve hours.
    for (const advance of ['11h', '11h', '3h']) {
      expect((await waiting()).pagination.has_more).toBe(true);
      await host.control('POST', '/clock', { advance });
    }
    expect(await waiting()).toMatchObject({ agent_approvals: [], pagination: { has_more: false } });
    expect(await codeOf()).toBe('approval_required');
    expect(await waiting()).toMatchObject({ agent_approvals: [{}], pagination: { has_more: false } });
    const { approvals } = (await shop.owner.request('GET', '/v1/attention')).body;
    expect(approvals.items).toHaveLength(1);
  });

  it('runs once for a payment that it creates, too', async () => {
    const shop = await anAgentShop(host);
    const body = {
      amount: 900,
      currency: 'EUR',
      payment_method: { type: 'card', token: 'ok' },
      description: 'Order 7',
    };
    const create = () => shop.ask('POST', '/v1/payments', body, { idempotencyKey: 'order-7' });
    const asked = await create();
    expect(outcome(asked)).toEqual(REQUIRED);
    const { body: queue } = await shop.owner.request('GET', '/v1/agent-approvals?status=pending');
    expect(queue.agent_approvals).toMatchObject([
      { operation: 'POST /v1/payments', amount: 900, currency: 'EUR', description: 'Order 7', resource_id: null },
    ]);
    await decide(shop, asked, 'approve');
    const [one, two] = [await create(), await create()];
    expect([outcome(one), two.body.id]).toEqual([[201, 'succeeded'], one.body.id]);
    expect((await shop.owner.request('GET', '/v1/agent-approvals?status=pending')).body.agent_approvals).toEqual([]);
  });

  it('is in the audit log with its key, and the name that the agent gives itself', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const headers = { 'x-actor-id': 'Helper 1.0' };
    const send = () => shop.ask('POST', `/v1/payments/${id}/refund`, { amount: 5 }, { idempotencyKey: 'a', headers });
    await decide(shop, await send(), 'approve');
    await send();
    const entries = (await auditOf(shop)).filter(({ action }) => action.startsWith('agent_'));
    expect(entries.map(({ action, actor_id, metadata }) => [action, actor_id, metadata.claimed_actor_id])).toEqual([
      ['agent_acted', shop.keyId, 'Helper 1.0'],
      ['agent_approved', shop.owner.user.id, null],
      ['agent_asked', shop.keyId, 'Helper 1.0'],
    ]);
    expect(entries[0]?.metadata.changes).toMatchObject({ amount: { to: 5 }, resource_id: { to: id } });
  });
});

describe('who decides about it', () => {
  it('is a signed-in person whose role may do the same, with a proof that is fresh, and never a key', async () => {
    const shop = await anAgentShop(host);
    const { id } = await shop.payment();
    const asked = await refund(shop, id, 100, 'who');
    const path = `/v1/agent-approvals/${asked.body.details.approval_id}`;
    const viewer = await aMember(host, shop.owner, 'viewer');
    expect((await viewer.request('GET', path)).status).toBe(200);
    expect(outcome(await viewer.request('POST', `${path}/approve`))).toEqual([403, 'missing_role']);
    for (const key of [shop.serviceKey, shop.agentKey]) {
      expect(outcome(await host.call('POST', `${path}/approve`, undefined, { key }))).toEqual([401, 'invalid_session']);
      expect(outcome(await host.call('GET', path, undefined, { key }))).toEqual([401, 'invalid_session']);
    }
    const stranger = await anAgentShop(host);
    expect(outcome(await decide(stranger, asked, 'approve'))).toEqual([404, 'not_found']);
    const member = await aMember(host, shop.owner, 'member');
    expect(outcome(await member.request('POST', `${path}/approve`))).toEqual([200, 'approved']);
  });

  it('may change the limits only as an administrator, and the change is in the audit log', async () => {
    const shop = await anAgentShop(host);
    const member = await aMember(host, shop.owner, 'member');
    const change = { daily: { eur: 5_000 } };
    const path = '/v1/organization/agent-limits';
    expect(outcome(await member.request('PATCH', path, change))).toEqual([403, 'missing_role']);
    expect((await shop.ask('PATCH', path, change)).status).toBe(401);
    expect((await shop.owner.request('PATCH', path, change)).body).toEqual({ daily: { EUR: 5_000 } });
    expect((await member.request('GET', path)).body).toEqual({ daily: { EUR: 5_000 } });
    expect((await shop.owner.request('PATCH', path, { daily: { EUR: -1 } })).status).toBe(400);
    const [newest] = await auditOf(shop);
    expect([newest?.action, newest?.metadata.changes.daily]).toEqual([
      'agent_limits_changed',
      { from: {}, to: { EUR: 5_000 } },
    ]);
  });

  it('tells what the limits were before, wherever the process crashed that was to change them', async () => {
    const change = async (limit: number, idempotencyKey: string, { owner }: Pick<AgentShop, 'owner'>) =>
      owner.request('PATCH', '/v1/organization/agent-limits', { daily: { EUR: limit } }, { idempotencyKey });
    const probe = await anAgentShop(host, { EUR: 1 });
    const points = await crashPointsOf(host, 'agents', () => change(2, 'probe', probe));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const shop = await anAgentShop(host, { EUR: 1 });
      await armCrash(host, point, 'agents');
      await change(2, 'crash', shop);
      expect(host.faults.waiting, describePoint(point)).toEqual([]);
      await expireLease(host);
      expect((await retryUntilDone(host, () => change(2, 'crash', shop))).body).toEqual({ daily: { EUR: 2 } });
      const entries = (await auditOf(shop)).filter(({ action }) => action === 'agent_limits_changed');
      expect(
        entries.map(({ metadata }) => metadata.changes.daily),
        describePoint(point),
      ).toEqual([
        { from: { EUR: 1 }, to: { EUR: 2 } },
        { from: {}, to: { EUR: 1 } },
      ]);
    }
  });

  it('changes the currencies that the request names, ends a limit with null, and loses none of two changes at once', async () => {
    const { owner } = await anAgentShop(host, { EUR: 5_000 });
    const change = (daily: Body) => owner.request('PATCH', '/v1/organization/agent-limits', { daily });
    expect((await change({ usd: 70 })).body).toEqual({ daily: { EUR: 5_000, USD: 70 } });
    for (const same of [{}, { USD: 70, JPY: null }])
      expect((await change(same)).body).toEqual({ daily: { EUR: 5_000, USD: 70 } });
    expect((await change({ EUR: null, JPY: null })).body).toEqual({ daily: { USD: 70 } });
    expect((await auditOf({ owner })).slice(0, 2).map(({ metadata }) => metadata.changes.daily)).toEqual([
      { from: { EUR: 5_000, USD: 70 }, to: { USD: 70 } },
      { from: { EUR: 5_000 }, to: { EUR: 5_000, USD: 70 } },
    ]);
    const currencies = ['CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'SEK', 'USD'];
    const changes = await Promise.all(currencies.map((currency, n) => change({ [currency]: n })));
    expect(changes.map(({ status }) => status)).toEqual(currencies.map(() => 200));
    const { body } = await owner.request('GET', '/v1/organization/agent-limits');
    expect(body.daily).toEqual(Object.fromEntries(currencies.map((currency, n) => [currency, n])));
  });
});
