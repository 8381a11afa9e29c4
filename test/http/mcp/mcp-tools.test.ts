import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentShop, anAgentShop, decide } from '#test/http/agents/agent.support.ts';
import { connect, use } from '#test/http/mcp/mcp.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let shop: AgentShop;
beforeAll(async () => {
  host = await startHost();
  shop = await anAgentShop(host, { EUR: 1_000 });
});
afterAll(() => host?.close());

const toolsFor = async (key: string) => (await (await connect(host, key)).listTools()).tools;
/** As older clients do: they name themselves once, at `initialize`. Newer ones do in every request. */
const ERAS = [
  ['an older client', { versionNegotiation: { mode: 'legacy' } }],
  ['a newer client', { versionNegotiation: { mode: 'auto' } }],
] as const;

describe.each(ERAS)('an agent with %s', (_, options) => {
  it('finds out why a payment failed, and gives a part of another one back', async () => {
    const agent = await connect(host, shop.agentKey, options);
    const failed = await shop.payment({ payment_method: { type: 'card', token: 'decline_insufficient_funds' } });
    const found = await use(agent, 'listPayments', { status: 'failed', limit: 1 });
    expect(found.payments[0]).toMatchObject({ id: failed.id, failure: { code: 'insufficient_funds' } });
    expect((await use(agent, 'findRecords', { q: failed.id })).isError).toBe(false);
    const { items = [], entries = items } = await use(agent, 'getPaymentTimeline', { id: failed.id });
    expect(JSON.stringify(entries)).toContain('insufficient_funds');
    const paid = await shop.payment();
    const input = { id: paid.id, body: { amount: 400 }, idempotency_key: `part-${paid.id}` };
    expect(await use(agent, 'refundPayment', input)).toMatchObject({ isError: false, amount_refunded: 400 });
  });

  it('waits for a person above the limit, and its repeat then succeeds once', async () => {
    const agent = await connect(host, shop.agentKey, options);
    const { id } = await shop.payment();
    const input = { id, body: { amount: 3_000 }, idempotency_key: `large-${id}` };
    const asked = await use(agent, 'refundPayment', input);
    expect(asked).toMatchObject({ isError: true, code: 'approval_required', details: { amount: 3_000 } });
    expect((await decide(shop, { body: asked }, 'approve')).status).toBe(200);
    expect(await use(agent, 'refundPayment', input)).toMatchObject({ amount_refunded: 3_000 });
    expect(await use(agent, 'refundPayment', input)).toMatchObject({ amount_refunded: 3_000 });
    const { body } = await shop.owner.request('GET', '/v1/organization/audit');
    expect(body.slice(0, 3).map(({ action, metadata }: Body) => [action, metadata.claimed_actor_id])).toEqual([
      ['agent_acted', 'test-agent 1.2.3 (MCP)'],
      ['agent_approved', null],
      ['agent_asked', 'test-agent 1.2.3 (MCP)'],
    ]);
  });
});

describe('the tools', () => {
  it('of a key that is no agent only read, and it cannot call another one', async () => {
    const tools = await toolsFor(shop.serviceKey);
    expect(tools.length).toBeGreaterThan(40);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const client = await connect(host, shop.serviceKey);
    const input = { id: 'pay_x', idempotency_key: 'k' };
    await expect(client.callTool({ name: 'refundPayment', arguments: input })).rejects.toThrow(/no tool refundPayment/);
  });

  it('of an agent are those that its scopes allow, and never keys, members or approvals', async () => {
    const body = { name: 'Narrow', kind: 'secret', scopes: ['payments:write', 'invoices:read'], agent: true };
    const { key } = (await shop.owner.request('POST', '/v1/api-keys', body)).body;
    const names = (await toolsFor(key)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['refundPayment', 'listInvoices', 'getCurrentKey']));
    expect(names.filter((name) => /^(getPayment|retryInvoice|listSubscriptions)$/.test(name))).toEqual([]);
    const all = (await toolsFor(shop.agentKey)).map(({ name }) => name);
    expect(all.filter((name) => /(create|revoke)ApiKey|Member|Approval|Secret|Session|Connection$/.test(name))).toEqual(
      ['getConnection'],
    );
  });

  it('say what they do, and are few words: an agent reads all of them in each conversation', async () => {
    const tools = await toolsFor(shop.agentKey);
    const refund = tools.find(({ name }) => name === 'refundPayment');
    expect(refund?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(refund?.inputSchema).toMatchObject({ type: 'object', required: ['id', 'idempotency_key'] });
    const size = (all: readonly unknown[]): number => JSON.stringify(all).length;
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint);
    // About four characters are a token.
    expect([size(reading) < 34_000, size(tools) < 66_000], `${size(reading)} and ${size(tools)}`).toEqual([true, true]);
  });

  it('are those that the instructions for agents name', async () => {
    const client = await connect(host, shop.agentKey);
    const named = client.getInstructions()?.match(/\b(find|list|get)[A-Z]\w+/g) ?? [];
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect([named.length, named.filter((name) => !names.includes(name))]).toEqual([4, []]);
  });

  it('refuse hostile input, and reach nothing of another organization', async () => {
    const agent = await connect(host, shop.agentKey);
    const stranger = await anAgentShop(host);
    const { id } = await stranger.payment();
    for (const path of [id, '../api-keys', 'x/../../v1/api-keys', '%2e%2e%2fapi-keys', '?limit=1', '<script>'])
      expect(await use(agent, 'getPayment', { id: path })).toMatchObject({ isError: true, code: 'not_found' });
    const other = { id, body: { amount: 1 }, idempotency_key: 'k' };
    expect(await use(agent, 'refundPayment', other)).toMatchObject({ isError: true, code: 'not_found' });
    const inputs = [
      [{ id: 7 }, /id/],
      [{}, /id/],
      [{ id: '.' }, /id/],
      [{ id: '..' }, /id/],
      [{ id, org_id: stranger.owner.org }, /org_id.* takes: id\./],
      [{ id, __proto__: null, constructor: 'x' }, /constructor/],
    ] as const;
    for (const [input, message] of inputs) expect((await use(agent, 'getPayment', input)).message).toMatch(message);
    const card = { amount: 1, currency: 'EUR', description: 'Card 4242 4242 4242 4242' };
    const refused = await use(agent, 'createPayment', { body: card, idempotency_key: 'card' });
    expect(refused).toMatchObject({ isError: true, code: 'raw_card_data' });
    expect(JSON.stringify(refused)).not.toContain('4242 4242');
  });

  it('never leave out a body in another form: a refund without one would give everything back', async () => {
    const own = await anAgentShop(host, { EUR: 1_000_000 });
    const agent = await connect(host, own.agentKey);
    const { id } = await own.payment();
    for (const body of ['{"amount": 400}', [{ amount: 400 }], 400, true, null]) {
      const input = { id, body, idempotency_key: `form-${JSON.stringify(body)}`.replaceAll(' ', '') };
      const refused = await use(agent, 'refundPayment', input);
      expect([refused.isError, refused.code]).toEqual([true, 'invalid_request']);
      expect(refused.message).toContain('body as an object');
    }
    expect((await own.ask('GET', `/v1/payments/${id}`)).body.amount_refunded).toBe(0);
  });

  it('take an idempotency key as text only, which can be a header', async () => {
    const agent = await connect(host, shop.agentKey);
    const { id } = await shop.payment({ capture: 'manual' });
    for (const idempotency_key of [undefined, '', 7, {}, 'a b', 'a\r\nX-Org-Id: x', 'ä', 'x'.repeat(256)]) {
      const refused = await use(agent, 'cancelPayment', { id, idempotency_key });
      expect([refused.isError, refused.code]).toEqual([true, 'invalid_request']);
      expect(refused.message).toContain('idempotency_key');
    }
    expect((await shop.ask('GET', `/v1/payments/${id}`)).body.status).toBe('authorized');
  });

  it('say where a field belongs that stands beside the body', async () => {
    const agent = await connect(host, shop.agentKey);
    const { id } = await shop.payment();
    const refused = await use(agent, 'refundPayment', { id, amount: 400, idempotency_key: 'beside' });
    expect(refused).toMatchObject({
      isError: true,
      message: 'Unknown: amount. This tool takes: id, body, idempotency_key.',
    });
    expect((await shop.ask('GET', `/v1/payments/${id}`)).body.amount_refunded).toBe(0);
  });
});
