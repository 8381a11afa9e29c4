import { beforeEach, describe, expect, it } from 'vitest';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { loadMasterKey, masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { makeSqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import type { DeliveryLane } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import { signingSecret, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { ReceivedMessage } from '#shared/ports/queue.port.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';
import { SweepRepo } from '#shared/store/repos/due.repo.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { memoryStore } from '#test/support/memory-store.ts';

const vault = makeVault(masterKeyWrapper(loadMasterKey(undefined)));
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const [FAILING, OTHER] = ['failing.example', 'other.example'];
/** Messages that are handed out at once. */
const BATCH = 10;

/** Two organizations: the endpoint of one responds 500 at once, the endpoint of the other 200 from some time on. */
function twoShops() {
  const { table, clock, events, due } = memoryStore();
  const queue = makeSqliteQueue(openDatabase(':memory:'), { clock });
  const order: string[] = [];
  let isUp = true;
  const deps = {
    events,
    due,
    clock,
    queue,
    vault,
    log: QUIET,
    sweeps: new SweepRepo(table),
    webhookConfigs: new WebhookConfigRepo(table),
    webhookHttp: {
      post: async ({ url }: { readonly url: string }) => {
        const { host } = new URL(url);
        order.push(host);
        return { statusCode: host === OTHER && isUp ? 200 : 500, durationMs: 1, error: null };
      },
    },
  } as unknown as Deps;
  const aShop = async (host: string) => {
    const org_id = newId('organization', clock.now());
    const sealed_secret = await vault.seal(
      new Secret(signingSecret(Buffer.alloc(24, 7))),
      signingSecretContext(org_id),
    );
    const now = clock.now().toISOString();
    const config = { org_id, url: `https://${host}/hook`, events: ['*'], enabled: true, sealed_secret } as const;
    await deps.webhookConfigs.save({ ...config, version: 1, audits: 0, created_at: now, updated_at: now });
    return async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const event = { id: newId('event', clock.now()), org_id, type: 'payment.created' } as const;
        const rest = { created_at: now, data: { id: 'pay_1' } };
        await events.record({ ...event, ...rest, status: 'pending', attempts: [], next_attempt_at: now });
        await queue.send('webhook-delivery', [{ body: { ...event, event: rest }, group: org_id }]);
      }
    };
  };
  const work = async (name: DeliveryLane | 'timers', handle: (message: ReceivedMessage) => Promise<void>) => {
    const messages = await queue.receive(name, BATCH);
    await Promise.all(messages.map(handle));
    await queue.remove(messages.map(({ id }) => id));
    return messages.length;
  };
  const deliver = (by: DeliveryLane) =>
    work(by, ({ body, receiveCount }) => deliverEvent(body, deps, receiveCount, by));
  const drain = async () => {
    while ((await deliver('webhook-delivery')) + (await deliver('slow-deliveries')) > 0);
  };
  const pass = async (ms: number) => {
    clock.pass(ms);
    await drain();
  };
  return {
    aShop,
    deliver,
    drain,
    pass,
    order,
    skip: (ms: number) => clock.pass(ms),
    setUp: (up: boolean) => {
      isUp = up;
    },
    /** The sweep, and everything that it sends. */
    sweep: async () => {
      await sweepDue(deps);
      while ((await work('timers', ({ body }) => processDue(body, deps))) > 0);
    },
  };
}

describe('an organization whose endpoint responds 500 quickly', () => {
  let shops: ReturnType<typeof twoShops>;
  let fail: (count: number) => Promise<void>;
  let sell: (count: number) => Promise<void>;
  beforeEach(async () => {
    shops = twoShops();
    fail = await shops.aShop(FAILING);
    sell = await shops.aShop(OTHER);
  });

  it('does not move the events of another one, however many it has', async () => {
    await fail(500);
    for (let round = 0; round < 30; round += 1) {
      await sell(1);
      const before = shops.order.length;
      await shops.deliver('webhook-delivery');
      expect(shops.order.slice(before)).toContain(OTHER);
    }
    expect(shops.order.filter((host) => host === FAILING).length).toBe(30 * (BATCH - 1));
  });

  it('does not move them with its retries either: the other one has half of what is handed out', async () => {
    await fail(200);
    await shops.drain();
    for (const wait of [6 * SECOND, 67 * SECOND]) {
      shops.skip(wait);
      await sell(5);
      const before = shops.order.length;
      await shops.deliver('webhook-delivery');
      // Of ten that are handed out. After a minute of failures the retries also move to the slow queue.
      expect(shops.order.slice(before).filter((host) => host === OTHER).length).toBe(5);
      await shops.drain();
    }
    expect(shops.order.filter((host) => host === FAILING).length).toBe(3 * 200);
  });

  it('shares the sweep of what waits for half an hour: the other one comes in turn', async () => {
    shops.setUp(false);
    await fail(200);
    await sell(5);
    await shops.drain();
    for (const wait of [6 * SECOND, 67 * SECOND, 6 * MINUTE]) await shops.pass(wait);
    const attempts = shops.order.length;
    expect(attempts).toBe(4 * 205);
    shops.setUp(true);
    await shops.pass(34 * MINUTE);
    await shops.sweep();
    await shops.drain();
    const after = shops.order.slice(attempts);
    expect([after.length, after.lastIndexOf(OTHER) < 2 * BATCH]).toEqual([205, true]);
  });
});
