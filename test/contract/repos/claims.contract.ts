import { describe, expect, it } from 'vitest';
import { DAY } from '#shared/kernel/clock.ts';
import type { ClaimTicket } from '#shared/kernel/operation.ts';
import type { ClaimState } from '#shared/ports/claims.port.ts';
import { keys } from '#shared/store/keys.ts';
import { aTicket, losingAnswers, memoryStore, times } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const LEASE = 35_000;
const ANSWER = { status: 201, body: '{"id":"conn_a"}', location: '/v1/connections/conn_a' };

type Store = ReturnType<typeof memoryStore>;
const ask = ({ claims, clock }: Store, about: Partial<ClaimTicket> = {}) => claims.claim(aTicket(about), clock.now());
const idOf = (claim: ClaimState): string =>
  'claimId' in claim ? claim.claimId : expect.fail(`The claim is ${claim.state}.`);

async function claimed() {
  const store = memoryStore();
  return { store, id: idOf(await ask(store)) };
}

async function answered() {
  const { store, id } = await claimed();
  await store.claims.complete(id, ANSWER, false);
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
    ])('is taken after %i ms, for %i s more', async (ms, retryAfter) => {
      const { store } = await claimed();
      store.clock.pass(ms);
      expect(await ask(store)).toEqual({ state: 'running', retryAfter });
    });

    it('is taken over when its lease is over, as the same operation', async () => {
      const { store, id } = await claimed();
      store.clock.pass(LEASE);
      expect(await ask(store)).toEqual({
        state: 'taken_over',
        claimId: id,
        operation: { seed: id, at: START, resumed: true },
      });
      expect(await ask(store)).toEqual({ state: 'running', retryAfter: 35 });
    });

    it('is taken over by one of many', async () => {
      const { store } = await claimed();
      store.clock.pass(LEASE);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual([...Array(19).fill('running'), 'taken_over']);
    });

    it('is taken by one of many', async () => {
      const store = memoryStore();
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
    });

    it.each<[string, Partial<ClaimTicket>]>([
      ['organization', { orgId: 'org_2' }],
      ['class of credential', { class: 'public' }],
      ['key', { key: 'key-2' }],
    ])('is another one for another %s', async (_, about) => {
      const { store, id } = await claimed();
      const other = await ask(store, about);
      expect(other.state).toBe('new');
      expect(idOf(other)).not.toBe(id);
    });

    it('survives a lost answer as its own', async () => {
      const store = memoryStore({ through: losingAnswers(1) });
      expect((await ask(store)).state).toBe('new');
    });

    it.each<[string, () => Promise<{ store: Store }>]>([
      ['while it runs', claimed],
      ['when it was answered', answered],
    ])('refuses another request %s', async (_, make) => {
      const { store } = await make();
      expect(await ask(store, { request: 'another' })).toEqual({ state: 'reused' });
    });

    it('that is released is free, also for another request', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      expect((await ask(store, { request: 'another' })).state).toBe('new');
    });

    it('that was answered is not released', async () => {
      const { store, id } = await answered();
      await store.claims.release(id);
      expect((await ask(store)).state).toBe('completed');
    });
  });

  describe('the claim of a request that broke off', () => {
    it('is taken over at once', async () => {
      const { store, id } = await claimed();
      await store.claims.expire(id);
      expect(await ask(store)).toMatchObject({ state: 'taken_over', claimId: id });
      expect((await ask(store)).state).toBe('running');
    });

    it('keeps the answer that it has', async () => {
      const { store, id } = await answered();
      await store.claims.expire(id);
      expect((await ask(store)).state).toBe('completed');
    });

    it('still refuses another request', async () => {
      const { store, id } = await claimed();
      await store.claims.expire(id);
      expect((await ask(store, { request: 'another' })).state).toBe('reused');
    });

    it('does not come back when it was released', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      await store.claims.expire(id);
      expect((await ask(store)).state).toBe('new');
    });
  });

  describe('the answer of a request’s claim', () => {
    it.each([true, false])('comes back as it was given (sealed: %s), with who asked first', async (sealed) => {
      const { store, id } = await claimed();
      await store.claims.complete(id, ANSWER, sealed);
      expect(await ask(store, { credentialId: 'key_2' })).toEqual({
        state: 'completed',
        answer: ANSWER,
        sealed,
        credentialId: 'key_1',
        claimId: id,
      });
    });

    it('belongs to whoever took the claim over', async () => {
      const { store, id } = await claimed();
      store.clock.pass(LEASE);
      await ask(store, { credentialId: 'key_2' });
      await store.claims.complete(id, ANSWER, true);
      expect(await ask(store)).toMatchObject({ state: 'completed', credentialId: 'key_2' });
    });

    it('stands when its lease is over', async () => {
      const { store } = await answered();
      store.clock.pass(LEASE);
      expect((await ask(store)).state).toBe('completed');
    });

    it('is nothing for a claim that is gone', async () => {
      const { store, id } = await claimed();
      await store.claims.release(id);
      await store.claims.complete(id, ANSWER, false);
      expect((await ask(store)).state).toBe('new');
    });
  });

  describe('a request’s key after 24 hours', () => {
    it('still stands a millisecond before', async () => {
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

    it('stands for each of its later requests as it did for the first', async () => {
      const { store } = await answered();
      for (let day = 1; day <= 4; day += 1) {
        store.clock.pass(DAY);
        const id = idOf(await ask(store));
        expect((await ask(store)).state).toBe('running');
        await store.claims.complete(id, { ...ANSWER, body: `${day}` }, false);
        expect(await ask(store)).toMatchObject({ state: 'completed', answer: { body: `${day}` }, claimId: id });
        expect((await ask(store, { request: 'another' })).state).toBe('reused');
      }
    });

    it('is new for one of many', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
    });

    it('can be released and taken again', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      await store.claims.release(idOf(await ask(store)));
      expect((await ask(store)).state).toBe('new');
      expect((await ask(store)).state).toBe('running');
    });

    it('stands for its newest request also by a clock that is behind', async () => {
      const { store } = await answered();
      store.clock.pass(DAY);
      await ask(store);
      expect((await store.claims.claim(aTicket(), later(DAY - 1))).state).toBe('running');
    });

    it('stands for its newest request also once the store has cleaned up those between', async () => {
      const { store } = await answered();
      const between: string[] = [];
      for (let day = 1; day <= 3; day += 1) {
        store.clock.pass(DAY);
        between.push(idOf(await ask(store)));
      }
      for (const id of between.slice(0, -1)) await store.table.delete(keys.claim(id));
      expect((await ask(store)).state).toBe('running');
    });

    it('stands for its later request also once the store has cleaned up', async () => {
      const { store, id } = await answered();
      store.clock.pass(DAY + DAY / 2);
      await store.claims.complete(idOf(await ask(store)), ANSWER, false);
      store.clock.pass(DAY - 1);
      await cleanUp(store, id);
      expect((await ask(store)).state).toBe('completed');
    });
  });
}

/** What the store does by itself to an item whose time is over. */
async function cleanUp({ table, clock }: Store, id: string): Promise<void> {
  const item = await table.get(keys.claim(id));
  if (Number(item?.ttl) * 1_000 <= clock.now().getTime()) await table.delete(keys.claim(id));
}
