import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeKey } from '#shared/http/route.ts';
import { type AgentShop, anAgentShop } from '#test/http/agents/agent.support.ts';
import { addressOf, OURS } from '#test/http/bad-input.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let shop: AgentShop;
beforeAll(async () => {
  host = await startHost();
  shop = await anAgentShop(host);
});
afterAll(() => host?.close());

/** Endpoints that take keys. The others know no agent: they want a session. */
const KEYED = OURS.filter(({ access, method }) => method !== 'GET' && (access === 'scope' || access === 'public'));

describe("an agent's key with every scope", () => {
  it.each(KEYED.filter(({ agents }) => agents === undefined).map((route) => [routeKey(route), route] as const))(
    'may not call %s',
    async (_, route) => {
      const { status, body } = await shop.ask(route.method, addressOf(route, 'none'), {});
      expect([status, body.code]).toEqual([403, 'agent_not_allowed']);
    },
  );

  it('reads whatever its scopes allow', async () => {
    for (const path of ['/v1/payments', '/v1/connections', '/v1/api-keys', '/v1/webhooks/events'])
      expect((await shop.ask('GET', path)).status).toBe(200);
  });

  it('needs an idempotency key for every change', async () => {
    const sent = await shop.ask('POST', '/v1/webhooks/test', undefined, { idempotencyKey: null });
    expect([sent.status, sent.body.code]).toEqual([400, 'idempotency_key_required']);
  });

  it('cancels a payment without asking anybody, which the audit log shows once', async () => {
    const { id } = await shop.payment({ capture: 'manual' });
    const cancel = () => shop.ask('POST', `/v1/payments/${id}/cancel`, undefined, { idempotencyKey: 'stop' });
    expect([(await cancel()).body.status, (await cancel()).status]).toEqual(['canceled', 200]);
    const { body } = await shop.owner.request('GET', '/v1/organization/audit');
    expect(body[0]).toMatchObject({ action: 'agent_acted', actor_id: shop.keyId });
    expect(body[1].action).not.toBe('agent_acted');
    expect((await shop.owner.request('GET', '/v1/agent-approvals')).body.agent_approvals).toEqual([]);
  });

  it('is shown as such in lists, in the audit log and to itself, and no public key can be one', async () => {
    const { owner } = shop;
    const { api_keys } = (await owner.request('GET', '/v1/api-keys')).body;
    expect(api_keys.map((key: { name: string; agent: boolean }) => [key.name, key.agent])).toEqual([
      ['Agent', true],
      ['Key', false],
    ]);
    const { body: self } = await shop.ask('GET', '/v1/api-keys/current');
    expect(self).toMatchObject({ id: shop.keyId, org_id: owner.org, kind: 'secret', agent: true });
    const made = (await owner.request('GET', '/v1/organization/audit')).body.find(
      ({ target }: { target: { id: string } }) => target.id === shop.keyId,
    );
    expect(made.metadata.changes.agent).toEqual({ from: null, to: true });
    const body = { name: 'Page', kind: 'public', agent: true };
    expect((await owner.request('POST', '/v1/api-keys', body)).body.details.fields).toEqual([
      { path: 'agent', message: 'Must not be true for a public key.' },
    ]);
  });
});
