import { randomUUID } from 'node:crypto';
import type { ModelShop, World } from '#test/model/world.ts';
import type { ApiResponse, Body, TestHost } from '#test/support/host.ts';

/** One run: a customer of its own, whose payments belong to the run. */
export type Round = {
  readonly host: TestHost;
  readonly shop: ModelShop;
  readonly customer: string;
  readonly since: Date;
  /** The number of events that the shop had received before. */
  readonly received: number;
  readonly get: (path: string) => Promise<ApiResponse>;
  readonly post: (path: string, body: Body, key: string) => Promise<ApiResponse>;
  /** Calls the control server; an error there is a mistake in the test. */
  readonly control: (method: string, path: string, body?: Body) => Promise<Body>;
};

export function beginRound({ host }: World, shop: ModelShop): Round {
  const { key } = shop;
  return {
    host,
    shop,
    customer: `cus_${randomUUID()}`,
    since: host.clock.now(),
    received: host.receivers.deliveries(shop.org_id).length,
    get: (path) => host.call('GET', path, undefined, { key }),
    post: (path, body, idempotencyKey) => host.call('POST', path, body, { key, idempotencyKey }),
    control: async (method, path, body) => (await host.control(method, path, body)).body,
  };
}
