import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AgentShop, anAgentShop, decide } from '#test/http/agents/agent.support.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let shop: AgentShop;
beforeAll(async () => {
  host = await startHost();
  shop = await anAgentShop(host, { EUR: 100_000 });
});
afterAll(() => host?.close());

let crashes = 0;

/** Longer than any function runs: another request takes over from the one that died. */
const LEASE = '40s';

/** The request again, after its process died at this call of the table. */
async function afterCrash(send: () => Promise<ApiResponse>, nth: number): Promise<ApiResponse> {
  await host.control('POST', '/faults', {
    point: 'table',
    nth,
    kind: 'crash',
    when: 'after',
    handler: 'payment-actions',
  });
  const first = await send();
  await host.control('DELETE', '/faults');
  if (first.status !== 503) return first;
  crashes += 1;
  await host.control('POST', '/clock', { advance: LEASE });
  return send();
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'an approved refund whose process dies at its call %i of the table happens once, when it is repeated',
  async (nth) => {
    const { id } = await shop.payment({ amount: 200_000 });
    const send = () =>
      shop.ask('POST', `/v1/payments/${id}/refund`, { amount: 150_000 }, { idempotencyKey: `approved-${nth}` });
    expect((await decide(shop, await send(), 'approve')).status).toBe(200);
    const done = await afterCrash(send, nth);
    expect([done.status, done.body.amount_refunded]).toEqual([200, 150_000]);
    expect((await host.simulators.calls({ payment_id: id })).charges[id]).toMatchObject({ refunded: 150_000 });
  },
);

it.each([3, 4, 5, 6, 7])(
  'a request within the limit whose process dies at its call %i of the table counts once',
  async (nth) => {
    const own = await anAgentShop(host, { EUR: 1_000 });
    const { id } = await own.payment();
    const send = () => own.ask('POST', `/v1/payments/${id}/refund`, { amount: 600 }, { idempotencyKey: 'counted' });
    expect((await afterCrash(send, nth)).status).toBe(200);
    const rest = (amount: number) => own.ask('POST', `/v1/payments/${id}/refund`, { amount });
    expect([(await rest(400)).status, (await rest(1)).body.code]).toEqual([200, 'approval_required']);
  },
);

it('most of these processes did die', () => expect(crashes).toBeGreaterThan(10));
