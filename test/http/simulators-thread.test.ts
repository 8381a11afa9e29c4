import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalClock } from '#lib/local/local-clock.ts';
import { simulatorsOnThread } from '#lib/local/simulators-thread.ts';
import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';

const clock = new LocalClock(openDatabase(':memory:'));
const input = {
  port: 0,
  database: ':memory:',
  clock,
  masterKey: new Secret(Buffer.alloc(32, 7)),
  webhookBase: 'http://127.0.0.1:9',
};
const CARD = 'amount=4900&currency=eur&confirm=true&payment_method=pm_card_visa&return_url=https%3A%2F%2Fshop.example';

let simulators: HostedSimulators;
beforeAll(async () => {
  simulators = await simulatorsOnThread(input);
});
afterAll(async () => simulators.close());

const charge = async () => {
  const reply = await fetch(`${simulators.base}/stripe/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_thread', 'stripe-version': '2026-10-28.endive' },
    body: new URLSearchParams(`${CARD}&metadata[payment_id]=pay_1`),
  });
  return { status: reply.status, body: (await reply.json()) as { readonly created: number } };
};

describe('simulators on a thread of their own', () => {
  it('answer over HTTP, and say what they were asked', async () => {
    expect((await charge()).status).toBe(200);
    const { calls } = await simulators.calls({ provider: 'stripe' });
    expect(calls.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['create 200']);
  });

  it('take scenarios, and throw for one that does not exist as they do in the same thread', async () => {
    await simulators.setScenario({ provider: 'stripe', behaviour: 'http_500' });
    expect((await charge()).status).toBe(500);
    await expect(simulators.setScenario({ provider: 'stripe', behaviour: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Unknown behaviour nonsense'),
    });
  });

  it('refuse a connection as often as a scenario wants, and none after it was cleared', async () => {
    const isRefused = async () => simulators.refusesConnection('stripe', 'create', null);
    expect(await isRefused()).toBe(false);
    await simulators.setScenario({ provider: 'stripe', behaviour: 'refuse_connection', times: 2 });
    expect([await isRefused(), await isRefused(), await isRefused()]).toEqual([true, true, false]);
    await simulators.setScenario({ provider: 'stripe', behaviour: 'refuse_connection' });
    await simulators.clearScenarios();
    expect(await isRefused()).toBe(false);
  });

  it("follow the host's clock, running or standing", async () => {
    const later = new Date(clock.now().getTime() + 40 * 24 * 3_600_000);
    await clock.stand(later);
    const seconds = Math.floor(later.getTime() / 1_000);
    expect((await charge()).body.created).toBe(seconds);
    await clock.run();
    expect((await charge()).body.created).toBeGreaterThanOrEqual(seconds);
  });

  it('report a port that is taken with the code by which the host names the remedy', async () => {
    const port = Number(new URL(simulators.base).port);
    await expect(simulatorsOnThread({ ...input, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      syscall: 'listen',
    });
  });
});
