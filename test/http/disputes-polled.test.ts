import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, create, drain, read } from '#test/support/payment-steps.ts';

/** Flutterwave sends no callbacks about disputes, so its account is asked. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

async function aPaidPayment(): Promise<{ readonly key: string; readonly payment: Body }> {
  const org = await anOrganization(host);
  await aConnection(host, org, { provider: 'flutterwave' });
  const how = { key: org.key };
  const { body } = await create(host, { amount: 5_000, currency: 'NGN', customer_email: 'ada@example.com' }, how);
  host.simulators.complete('flutterwave', body.psp_reference, 'succeeded');
  await drain(host);
  return { key: org.key, payment: await read(host, body.id, how) };
}

const disputesOf = async (key: string): Promise<readonly Body[]> =>
  (await host.call('GET', '/v1/disputes', undefined, { key })).body.disputes;

/** Calls about disputes of all accounts since the last look. */
let seen = 0;
function newCalls(): number {
  const { calls } = host.simulators.calls({ provider: 'flutterwave' });
  const all = calls.filter(({ operation }) => operation === 'dispute').length;
  const count = all - seen;
  seen = all;
  return count;
}

describe('an account whose provider sends no callbacks about disputes', () => {
  it('is asked each hour on a day with payments, then less often, and in the end no more', async () => {
    const { payment } = await aPaidPayment();
    expect(payment.status).toBe('succeeded');
    newCalls();
    const callsIn = async (time: string) => {
      await advance(host, time);
      await drain(host);
      return newCalls();
    };
    expect(await callsIn('24h')).toBeGreaterThanOrEqual(23);
    expect(await callsIn('240h')).toBeLessThan(100);
    expect(await callsIn('24h')).toBeLessThanOrEqual(2);
    await callsIn('180d');
    expect(await callsIn('200d')).toBe(0);
  }, 60_000);

  it('tells a dispute within the hour, takes its answer, and shows what becomes of it', async () => {
    const { key, payment } = await aPaidPayment();
    host.simulators.openDispute('flutterwave', payment.id);
    await advance(host, '61m');
    await drain(host);
    const [dispute] = await disputesOf(key);
    expect(dispute).toMatchObject({ status: 'needs_response', payment_id: payment.id });
    expect((await read(host, payment.id, { key })).amount_disputed).toBe(5_000);
    const { status, body } = await host.call(
      'POST',
      `/v1/disputes/${dispute?.id}/evidence`,
      { explanation: 'Sent.' },
      { key },
    );
    expect([status, body.status]).toEqual([200, 'under_review']);
    host.simulators.moveDispute('flutterwave', dispute?.psp_reference, 'won');
    await advance(host, '61m');
    await drain(host);
    expect((await disputesOf(key))[0]?.status).toBe('won');
    expect((await read(host, payment.id, { key })).amount_disputed).toBe(0);
  });

  it('tells the dispute of a charge that nobody had told, by the ids that the provider keeps with it', async () => {
    const { key } = await aPaidPayment();
    const how = { key };
    await arrange(host, 'approve', { provider: 'flutterwave', webhook: 'none' });
    const { body } = await create(host, { amount: 4_000, currency: 'NGN', customer_email: 'ada@example.com' }, how);
    await advance(host, '26h');
    expect((await read(host, body.id, how)).status).toBe('failed');
    host.simulators.complete('flutterwave', body.psp_reference, 'succeeded');
    const psp_reference = host.simulators.openDispute('flutterwave', body.id);
    expect(psp_reference).toEqual(expect.any(String));
    await advance(host, '26h');
    await drain(host);
    expect(await disputesOf(key)).toMatchObject([{ psp_reference, payment_id: body.id, amount: 4_000 }]);
  });
});
