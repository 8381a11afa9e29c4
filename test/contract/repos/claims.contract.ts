import { describe, expect, it } from 'vitest';
import { DAY } from '#shared/kernel/clock.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import type { ClaimState } from '#shared/ports/claims.port.ts';
import { keys } from '#shared/store/keys.ts';
import { aTicket, losingResponses, memoryStore, times } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const LEASE = 35_000;
const RESPONSE = { status: 201, body: '{"id":"conn_a"}', location: '/v1/connections/conn_a' };

type Store = ReturnType<typeof memoryStore>;
const ask = ({ claims, clock }: Store, about: Partial<IdempotencyRequest> = {}) =>
  claims.claim(aTicket(about), clock.now());
const idOf = (claim: ClaimState): string =>
  'claimId' in claim ? claim.claimId : expect.fail(`The claim is ${claim.state}.`);

async function claimed() {
  const store = memoryStore();
  return { store, id: idOf(await ask(store)) };
}

async function answered() {
  const { store, id } = await claimed();
  await store.claims.complete(id, RESPONSE, false);
  return { store, id };
}

export function requestClaims(): void {
  describe('the claim of a request', () => {
    it('is new once', async () => {
      const store = memoryStore();
      expect(await ask(store)).toMatchObject({ state: 'new', operation: { at: START, resumed: false } });
      expect(await ask(store)).toEqual({ state: 'running', retryAfter: 35 });
    });

    it.each([
      [10_000, 25],
      [34_001, 1],
      [34_999, 1],
    ])('is still held after %i ms, for %i s more', async (ms, retryAfter) => {
      const { store } = await claimed();
      store.clock.pass(ms);
      expect(await ask(store)).toEqual({ state: 'running', retryAfter });
    });

    it('is taken over after its lease, as the same operation', async () => {
      const { store, id } = await claimed();
      store.clock.pass(LEASE);
      expect(await ask(store)).toEqual({
        state: 'taken_over',
        claimId: id,
        operation: { seed: id, at: START, resumed: true },
      });
      expect(await ask(store)).toEqual({ state: 'running', retryAfter: 35 });
    });

    it('is taken over by one of many requests', async () => {
      const { store } = await claimed();
      store.clock.pass(LEASE);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual([...Array(19).fill('running'), 'taken_over']);
    });

    it('is created by one of many requests', async () => {
      const store = memoryStore();
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
    });

    it.each<[string, Partial<IdempotencyRequest>]>([
      ['organization', { orgId: 'org_2' }],
      ['class of credential', { class: 'public' }],
      ['key', { key: 'key-2' }],
    ])('is another one for another %s', async (_, about) => {
      const { store, id } = await claimed();
      const other = await ask(store, about);
      expect(other.state).toBe('new');
      expect(idOf(other)).not.toBe(id);
    });

    it('recognizes its own write after a lost response', async () => {
      const store = memoryStore({ through: losingResponses(1) });
      expect((await ask(store)).state).toBe('new');
    });

    it.each<[string, () => Promise<{ store: Store }>]>([
      ['while it runs', claimed],
      ['when it was answered', answered],
    ])('refuses another request %s', async (_, make) => {
      const { store } = await make();
      expect(await ask(store, { request: 'another' })).toEqual({ state: 'reused' });
    });

    it('is free after its release, also for another request', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      expect((await ask(store, { request: 'another' })).state).toBe('new');
    });

    it('is not released once it has a response', async () => {
      const { store, id } = await answered();
      await store.claims.release(id);
      expect((await ask(store)).state).toBe('completed');
    });
  });

  describe('the claim of an interrupted request', () => {
    it('is taken over at once', async () => {
      const { store, id } = await claimed();
      await store.claims.expire(id);
      expect(await ask(store)).toMatchObject({ state: 'taken_over', claimId: id });
      expect((await ask(store)).state).toBe('running');
    });

    it('keeps the response that it has', async () => {
      const { store, id } = await answered();
      await store.claims.expire(id);
      expect((await ask(store)).state).toBe('completed');
    });

    it('still rejects another request with its key', async () => {
      const { store, id } = await claimed();
      await store.claims.expire(id);
      expect((await ask(store, { request: 'another' })).state).toBe('reused');
    });

    it('is not recreated after its release', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      await store.claims.expire(id);
      expect((await ask(store)).state).toBe('new');
    });
  });

  describe('the response of a claim', () => {
    it.each([true, false])(
      'is returned as it was stored (sealed: %s), with the first request’s credential',
      async (sealed) => {
        const { store, id } = await claimed();
        await store.claims.complete(id, RESPONSE, sealed);
        expect(await ask(store, { credentialId: 'key_2' })).toEqual({
          state: 'completed',
          response: RESPONSE,
          sealed,
          credentialId: 'key_1',
          claimId: id,
        });
      },
    );

    it('belongs to the request that took the claim over', async () => {
      const { store, id } = await claimed();
      store.clock.pass(LEASE);
      await ask(store, { credentialId: 'key_2' });
      await store.claims.complete(id, RESPONSE, true);
      expect(await ask(store)).toMatchObject({ state: 'completed', credentialId: 'key_2' });
    });

    it('is still returned after the lease', async () => {
      const { store } = await answered();
      store.clock.pass(LEASE);
      expect((await ask(store)).state).toBe('completed');
    });

    it('is not stored for a claim that was released', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      await store.claims.complete(id, RESPONSE, false);
      expect((await ask(store)).state).toBe('new');
    });
  });

  describe('an idempotency key after 24 hours', () => {
    it('is still claimed a millisecond before', async () => {
      const { store } = await answered();
      store.clock.pass(DAY - 1);
      expect((await ask(store)).state).toBe('completed');
    });

    it('is new again, as another operation, also for another request', async () => {
      const { store, id } = await answered();
      store.clock.pass(DAY);
      const next = await ask(store, { request: 'another' });
      expect(next).toMatchObject({ state: 'new', operation: { at: store.clock.now(), resumed: false } });
      expect(idOf(next)).not.toBe(id);
    });

    it('is claimed by each later request as it was by the first', async () => {
      const { store } = await answered();
      for (let day = 1; day <= 4; day += 1) {
        store.clock.pass(DAY);
        const id = idOf(await ask(store));
        expect((await ask(store)).state).toBe('running');
        await store.claims.complete(id, { ...RESPONSE, body: `${day}` }, false);
        expect(await ask(store)).toMatchObject({ state: 'completed', response: { body: `${day}` }, claimId: id });
        expect((await ask(store, { request: 'another' })).state).toBe('reused');
      }
    });

    it('is new for one of many requests', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
    });

    it('can be released and claimed again', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      await store.claims.release(idOf(await ask(store)));
      expect((await ask(store)).state).toBe('new');
      expect((await ask(store)).state).toBe('running');
    });

    it('belongs to its newest request also by a slow clock', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      await ask(store);
      expect((await store.claims.claim(aTicket(), later(DAY - 1))).state).toBe('running');
    });

    it('belongs to its newest request also after the store has deleted those between', async () => {
      const { store } = await answered();
      const between: string[] = [];
      for (let day = 1; day <= 3; day += 1) {
        store.clock.pass(DAY);
        between.push(idOf(await ask(store)));
      }
      for (const id of between.slice(0, -1)) await store.table.delete(keys.claim(id));
      expect((await ask(store)).state).toBe('running');
    });

    it('belongs to its later request even after the store has deleted the first', async () => {
      const { store, id } = await answered();
      store.clock.pass(DAY + DAY / 2);
      await store.claims.complete(idOf(await ask(store)), RESPONSE, false);
      store.clock.pass(DAY - 1);
      await cleanUp(store, id);
      expect((await ask(store)).state).toBe('completed');
    });
  });
}

/** What the store does to an expired item. */
async function cleanUp({ table, clock }: Store, id: string): Promise<void> {
  const item = await table.get(keys.claim(id));
  if (Number(item?.ttl) * 1_000 <= clock.now().getTime()) await table.delete(keys.claim(id));
}
