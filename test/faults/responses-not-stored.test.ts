import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TableError } from '#shared/store/table/table.port.ts';
import { changeSubscription, subscribe } from '#test/support/billing.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { act, moneyOf, pay, read } from '#test/support/payment-steps.ts';

/** The effect of a request remains, even if the response for its idempotency key cannot be stored. */

let host: TestHost;
let failure: TableError | undefined;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) =>
      changed(table, {
        update: async (key, change, condition) => {
          if (failure && change.set?.answer) throw failure;
          return table.update(key, change, condition);
        },
      }),
  });
});
afterAll(() => host?.close());
beforeEach(() => {
  failure = undefined;
});

const FAILURES = [
  ['is too large to store', new TableError('too_large', 'not_done', 'The item is over 409600 bytes.')],
  ['the store is unavailable for', new TableError('unavailable', 'not_done', 'Nobody is there.')],
] as const;

/** Sends the request twice with one key; the first response is not stored. */
async function askTwice(
  why: TableError,
  ask: (how: { readonly idempotencyKey: string }) => Promise<ApiResponse>,
): Promise<readonly [ApiResponse, ApiResponse]> {
  const how = { idempotencyKey: randomUUID() };
  failure = why;
  const first = await ask(how);
  failure = undefined;
  return [first, await ask(how)];
}

const notStored = () => host.logged.filter(({ event }) => event === 'response_not_stored').length;

describe.each(FAILURES)('a response that %s', (_, why) => {
  it('is still sent, and its refund is made once', async () => {
    const { id } = await pay(host);
    const before = notStored();
    const [first, again] = await askTwice(why, (how) => act(host, id, 'refund', { amount: 100 }, how));
    expect([first.status, again.status, notStored()]).toEqual([200, 200, before + 1]);
    expect(again.body).toEqual(first.body);
    expect(await moneyOf(host, id)).toMatchObject({ refunded: 100 });
    expect(await read(host, id)).toMatchObject({ amount_refunded: 100, refunds: { length: 1 } });
  });

  it('reserves the key for its request', async () => {
    const { id } = await pay(host);
    const how = { idempotencyKey: randomUUID() };
    failure = why;
    await act(host, id, 'refund', { amount: 100 }, how);
    failure = undefined;
    expect(await act(host, id, 'refund', { amount: 200 }, how)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await moneyOf(host, id)).toMatchObject({ refunded: 100 });
  });

  it('to a change is still sent, and a repeat does not undo later changes', async () => {
    const made = await subscribe(host);
    const how = { idempotencyKey: randomUUID() };
    failure = why;
    expect(await changeSubscription(host, made, { amount: 2_001 }, how)).toMatchObject({
      status: 200,
      body: { amount: 2_001 },
    });
    failure = undefined;
    await changeSubscription(host, made, { amount: 2_002 });
    expect((await changeSubscription(host, made, { amount: 2_001 }, how)).status).toBe(200);
    expect((await host.call('GET', `/v1/subscriptions/${made.id}`)).body).toMatchObject({ amount: 2_002 });
  });

  it('with a secret creates one API key', async () => {
    const name = randomUUID();
    const [first, again] = await askTwice(why, (how) => host.call('POST', '/v1/api-keys', { name, scopes: [] }, how));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    const { api_keys } = (await host.call('GET', '/v1/api-keys?limit=200')).body;
    expect(api_keys.filter((key: Body) => key.name === name)).toHaveLength(1);
  });

  it('with an error is still sent, and a repeat gets the same error', async () => {
    const { id } = await pay(host);
    const [first, again] = await askTwice(why, (how) => act(host, id, 'refund', { amount: 5_001 }, how));
    expect([first, again]).toMatchObject([
      { status: 400, body: { code: 'refund_exceeds_remaining' } },
      { status: 400, body: { code: 'refund_exceeds_remaining' } },
    ]);
  });
});
