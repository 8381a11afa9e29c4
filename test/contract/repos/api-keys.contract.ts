import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import { HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { newId, sha256Hex } from '#shared/kernel/ids.ts';
import type { KeyCreator } from '#shared/ports/keys.port.ts';
import { keys as tableKeys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { changed, memoryStore, times } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const HASH = sha256Hex('pfk_test_1');

const aKey = (about: Partial<ApiKey> = {}): ApiKey => ({
  id: newId('key', START),
  org_id: ORG,
  name: 'Server',
  kind: 'service',
  scopes: ['payments:read'],
  created_at: START.toISOString(),
  created_by: null,
  ...about,
});

async function holding(options = {}) {
  const store = memoryStore(options);
  const key = aKey();
  await store.keys.create(key, HASH);
  return { ...store, key };
}

/** The names of the windows in an item. */
const windowNames = (item: object = {}): string[] => Object.keys(item).filter((name) => /^[prwt]\d+$/.test(name));
const windowsOf = async ({ table }: ReturnType<typeof memoryStore>) =>
  windowNames(await table.get(tableKeys.apiKey(HASH)));

const auditOfKey = (id: string): OrganizationAuditEntry => ({
  id: newId('act', START),
  org_id: ORG,
  actor_id: 'key_1',
  action: 'api_key_created',
  target: { type: 'api_key', id, name: 'Server' },
  metadata: { changes: {}, credential_id: 'key_1', claimed_actor_id: null },
  created_at: START.toISOString(),
});

/** A key's creation by this creator, and what the store then holds of it. */
async function creating({ keys, table }: ReturnType<typeof memoryStore>, creator: KeyCreator) {
  const key = aKey({ id: newId('key', later(5)), created_by: 'key_1' });
  const audit = auditOfKey(key.id);
  const result = await keys.create(key, 'a new hash', { creator, audit });
  const entry = tableKeys.organizationAuditEntry(ORG, audit.id);
  const stored = await Promise.all(
    [tableKeys.apiKey('a new hash'), tableKeys.listedApiKey(ORG, key.id), entry].map((item) => table.get(item)),
  );
  return [result, stored.map((item) => item !== undefined)];
}

const CREATED = ['done', [true, true, true]];
const NOT_CREATED = ['creator_gone', [false, false, false]];

function createdKeys(): void {
  describe('an API key that another one creates', () => {
    it('is written with its audit entry, while the creating key exists', async () => {
      const store = await holding();
      expect(await creating(store, { keyId: store.key.id })).toEqual(CREATED);
    });

    it('does not come to be when the creating key has been revoked meanwhile', async () => {
      const store = await holding();
      await store.keys.revoke(ORG, store.key.id);
      expect(await creating(store, { keyId: store.key.id })).toEqual(NOT_CREATED);
    });
  });

  describe('an API key that a member creates', () => {
    const member = { user_id: 'usr_1', role: 'admin' } as const;
    const signedIn = async () => {
      const store = memoryStore();
      await store.table.put({ ...tableKeys.member(ORG, 'usr_1'), role: 'admin' });
      await store.table.put({ ...tableKeys.session('cookie hash'), user_id: 'usr_1' });
      return store;
    };

    it('is written while the session and the role are the same', async () => {
      expect(await creating(await signedIn(), { member, sessionHash: 'cookie hash' })).toEqual(CREATED);
    });

    it.each([
      ['the session has ended', { member, sessionHash: 'another hash' }],
      ['the role was changed', { member: { ...member, role: 'owner' as const }, sessionHash: 'cookie hash' }],
      ['the member was removed', { member: { ...member, user_id: 'usr_2' }, sessionHash: 'cookie hash' }],
    ])('does not come to be when %s meanwhile', async (_, creator) => {
      expect(await creating(await signedIn(), creator)).toEqual(NOT_CREATED);
    });
  });
}

export function apiKeys(): void {
  createdKeys();
  describe('an API key', () => {
    it('is found by its hash, without internal attributes', async () => {
      const { keys, key } = await holding();
      expect(await keys.find(HASH, START)).toEqual(key);
      expect((await keys.authenticate(HASH, 'reads', START))?.key).toEqual(key);
    });

    it('is rejected if it is unknown, and leaves nothing in the store', async () => {
      const { keys, table } = memoryStore();
      expect(await keys.authenticate('unknown', 'reads', START)).toBeUndefined();
      expect(await table.get(tableKeys.apiKey('unknown'))).toBeUndefined();
    });

    it('is listed among the organization’s keys, newest first', async () => {
      const { keys } = memoryStore();
      const made = [0, 1, 2].map((n) => aKey({ id: newId('key', later(n)) }));
      for (const [n, key] of made.entries()) await keys.create(key, `hash ${n}`);
      await keys.create(aKey({ org_id: 'org_other' }), 'hash of another');
      expect((await keys.list(ORG)).map(({ hash: _, counters: __, ...key }) => key)).toEqual(made.toReversed());
    });

    it('is listed however many keys there are', async () => {
      const { keys } = memoryStore();
      await times(401, (n) => keys.create(aKey({ id: newId('key', later(n)) }), `hash ${n}`));
      expect(await keys.list(ORG)).toHaveLength(401);
    });

    it('has the time of its last request, in the order of the list', async () => {
      const { keys, key } = await holding();
      await times(101, (n) => keys.create(aKey({ id: newId('key', later(n + 1)) }), `hash ${n}`));
      await keys.authenticate(HASH, 'reads', later(MINUTE));
      const entries = await keys.list(ORG);
      const used = await keys.lastUsed(entries);
      expect(used.map((at, n) => [entries[n]?.id, at]).filter(([, at]) => at !== null)).toEqual([
        [key.id, later(MINUTE).toISOString()],
      ]);
      expect(used).toHaveLength(102);
    });

    it('without own counters records its use once an hour, by one of many requests at once', async () => {
      let notes = 0;
      const recordingUse = (table: TablePort): TablePort =>
        changed(table, {
          update: async (...call) => {
            const done = await table.update(...call);
            notes += Number(done.ok);
            return done;
          },
        });
      const store = await holding({ through: recordingUse });
      const use = (ms: number) => times(20, () => store.keys.find(HASH, later(ms)));
      const lastUsedAt = async () => (await store.keys.lastUsed([{ hash: HASH, counters: 1 }]))[0];
      expect(await lastUsedAt()).toBeNull();
      await use(1);
      await use(HOUR);
      expect(await lastUsedAt()).toBe(later(1).toISOString());
      await use(HOUR + 1);
      expect([await lastUsedAt(), notes]).toEqual([later(HOUR + 1).toISOString(), 2]);
    });

    it('that was revoked does not come back when its use is recorded', async () => {
      const { keys, key, table } = await holding();
      await Promise.all([...Array.from({ length: 20 }, () => keys.find(HASH, START)), keys.revoke(ORG, key.id)]);
      expect(await table.get(tableKeys.apiKey(HASH))).toBeUndefined();
    });

    it('is refused from the first request after its revocation', async () => {
      const { keys, key } = await holding();
      expect(await keys.revoke(ORG, key.id)).toBe(true);
      expect([
        await keys.authenticate(HASH, 'reads', START),
        await keys.find(HASH, START),
        await keys.list(ORG),
      ]).toEqual([undefined, undefined, []]);
    });

    it('is revoked once, by its own organization only', async () => {
      const { keys, key } = await holding();
      expect([
        await keys.revoke('org_other', key.id),
        await keys.revoke(ORG, key.id),
        await keys.revoke(ORG, key.id),
      ]).toEqual([false, true, false]);
    });

    it('of an agent has no scopes for a release that knows no agents', async () => {
      const { keys, table } = memoryStore();
      const agent = aKey({ agent: true });
      await keys.create(agent, HASH);
      for (const item of [tableKeys.apiKey(HASH), tableKeys.listedApiKey(ORG, agent.id)])
        expect((await table.get(item))?.scopes).toEqual([]);
      expect((await keys.authenticate(HASH, 'reads', START))?.key).toEqual(agent);
      expect(await keys.list(ORG)).toMatchObject([agent]);
    });

    it('of an agent has no scopes either once nothing says that it is an agent', async () => {
      const { keys, table } = memoryStore();
      const agent = aKey({ agent: true });
      await keys.create(agent, HASH);
      for (const item of [tableKeys.apiKey(HASH), tableKeys.listedApiKey(ORG, agent.id)])
        await table.update(item, { remove: ['agent'] });
      expect((await keys.authenticate(HASH, 'reads', START))?.key.scopes).toEqual([]);
      expect((await keys.list(ORG))[0]?.scopes).toEqual([]);
    });

    it('of the version before has nobody as its creator', async () => {
      const { keys, key, table } = await holding();
      for (const item of [tableKeys.apiKey(HASH), tableKeys.listedApiKey(ORG, key.id)])
        await table.update(item, { remove: ['created_by'] }, { exists: 'pk' });
      expect([(await keys.find(HASH, START))?.created_by, (await keys.list(ORG))[0]?.created_by]).toEqual([null, null]);
    });

    it('that was revoked stays known as a link between the keys before and after it', async () => {
      const { keys } = memoryStore();
      const [first, second] = [aKey({ created_by: 'usr_1' }), aKey({ id: newId('key', later(1)) })];
      for (const [n, key] of [first, second].entries()) await keys.create(key, `hash ${n}`);
      await keys.revoke(ORG, first.id);
      expect([await keys.revoked(ORG), await keys.revoked('org_other')]).toEqual([
        [{ id: first.id, created_by: 'usr_1' }],
        [],
      ]);
    });

    it('that was revoked does not come back with a late request count', async () => {
      const { keys, key } = await holding();
      await Promise.all([
        keys.revoke(ORG, key.id),
        ...Array.from({ length: 20 }, () => keys.authenticate(HASH, 'reads', START)),
      ]);
      expect(await keys.find(HASH, START)).toBeUndefined();
    });
  });

  describe('requests of a key', () => {
    it.each<[RateClass, number, number]>([
      ['payments', 100, 60],
      ['writes', 100, 60],
    ])('of %s pass up to %i of 250 at once; the others wait %i s', async (rateClass, limit, retryAfter) => {
      const { keys } = await holding();
      const answers = await times(250, () => keys.authenticate(HASH, rateClass, START));
      expect(answers.filter((a) => a?.exceeded === undefined)).toHaveLength(limit);
      expect(answers.filter((a) => a?.exceeded?.retryAfter === retryAfter)).toHaveLength(250 - limit);
    });

    it('of reads pass up to 200 in ten seconds and 500 in a minute', async () => {
      const { keys } = await holding();
      const passed: number[] = [];
      for (let ten = 0; ten < 6; ten += 1) {
        const answers = await times(220, () => keys.authenticate(HASH, 'reads', later(ten * 10 * SECOND)));
        passed.push(answers.filter((a) => a?.exceeded === undefined).length);
      }
      expect(passed).toEqual([200, 200, 100, 0, 0, 0]);
    });

    it('of all classes share the window of ten seconds', async () => {
      const { keys } = await holding();
      await times(150, () => keys.authenticate(HASH, 'reads', START));
      const answers = await times(100, () => keys.authenticate(HASH, 'writes', START));
      expect(answers.filter((a) => a?.exceeded === undefined)).toHaveLength(50);
      expect(answers.at(-1)?.exceeded).toEqual({ retryAfter: 10 });
    });

    it('are not counted if they are refused', async () => {
      const { keys } = await holding();
      await times(250, () => keys.authenticate(HASH, 'writes', START));
      expect((await keys.authenticate(HASH, 'reads', START))?.rate).toEqual({
        limit: 200,
        remaining: 99,
        resetAt: START.getTime() / SECOND + 10,
      });
    });

    it('see the remaining number decrease by one each', async () => {
      const { keys } = await holding();
      const answers = await times(100, () => keys.authenticate(HASH, 'writes', START));
      expect(answers.map((a) => a?.rate.remaining).sort((a, b) => Number(b) - Number(a))).toEqual(
        Array.from({ length: 100 }, (_, n) => 99 - n),
      );
    });

    it.each<[string, number, boolean]>([
      ['are still refused in the last millisecond', MINUTE - 1, false],
      ['pass again in the next minute', MINUTE, true],
    ])('%s', async (_, ms, passes) => {
      const { keys } = await holding();
      await times(100, () => keys.authenticate(HASH, 'writes', START));
      expect((await keys.authenticate(HASH, 'writes', later(ms)))?.exceeded === undefined).toBe(passes);
    });

    it('are counted separately for each key', async () => {
      const { keys } = await holding();
      await keys.create(aKey(), 'hash of another');
      await times(100, () => keys.authenticate(HASH, 'writes', START));
      expect((await keys.authenticate('hash of another', 'writes', START))?.rate.remaining).toBe(99);
    });

    it('all pass if limits are lifted, and see the remaining number', async () => {
      const { keys } = await holding({ limited: false });
      const answers = await times(150, () => keys.authenticate(HASH, 'writes', START));
      expect(answers.every((a) => a?.exceeded === undefined)).toBe(true);
      expect((await keys.authenticate(HASH, 'writes', START))?.rate).toMatchObject({ limit: 100, remaining: 0 });
    });

    it('leave few old windows behind under steady traffic', async () => {
      const store = await holding();
      for (let second = 0; second < 600; second += 5)
        await store.keys.authenticate(HASH, 'reads', later(second * SECOND));
      expect((await windowsOf(store)).length).toBeLessThanOrEqual(4);
    });

    it('leave few old windows behind under occasional traffic', async () => {
      const store = await holding();
      for (let hour = 0; hour < 30; hour += 1) await store.keys.authenticate(HASH, 'reads', later(hour * HOUR));
      expect((await windowsOf(store)).length).toBeLessThanOrEqual(10);
    });

    it('keep their counts when old windows are removed', async () => {
      const { keys } = await holding();
      for (let hour = 0; hour < 30; hour += 1) await keys.authenticate(HASH, 'writes', later(hour * HOUR));
      expect((await keys.authenticate(HASH, 'writes', later(29 * HOUR)))?.rate.remaining).toBe(98);
    });
  });
}
