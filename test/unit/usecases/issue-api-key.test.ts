import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId, sha256Hex } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';

const AT = new Date('2026-01-31T12:00:00.000Z');
const config: Pick<ServiceConfig, 'stage' | 'hashSecret'> = { stage: 'sandbox', hashSecret: 'secret' };
const keys = new ApiKeyRepo(new SqliteTable({ database: openDatabase(':memory:') }), true);
const input = () =>
  ({ org_id: newId('organization', AT), name: 'shop', kind: 'service', scopes: ['payments:read'] }) as const;

describe('issueApiKey', () => {
  it('issues a key that authenticates for its organization', async () => {
    const { org_id, ...rest } = input();
    const { apiKey, text } = await issueApiKey({ org_id, ...rest }, unkeyedOperation(AT), randomBytes(32), {
      keys,
      config,
    });
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^key_/),
      org_id,
      ...rest,
      created_at: AT.toISOString(),
      created_by: 'system',
    });
    expect((await keys.authenticate(sha256Hex(text.reveal()), 'reads', AT))?.key).toEqual(apiKey);
  });

  it('issues the same key again after a crash, not a second one', async () => {
    const operation = unkeyedOperation(AT);
    const bytes = randomBytes(32);
    const same = input();
    const first = await issueApiKey(same, operation, bytes, { keys, config });
    const second = await issueApiKey(same, { ...operation, resumed: true }, bytes, { keys, config });
    expect([second.apiKey, second.text.reveal()]).toEqual([first.apiKey, first.text.reveal()]);
    expect(await keys.list(same.org_id)).toHaveLength(1);
  });

  it('issues a different key for each operation', async () => {
    const same = input();
    const texts = await Promise.all(
      [1, 2].map(async () =>
        (await issueApiKey(same, unkeyedOperation(AT), randomBytes(32), { keys, config })).text.reveal(),
      ),
    );
    expect(new Set(texts).size).toBe(2);
  });

  it('replaces the text of a key that an earlier version issued under the same id', async () => {
    const operation = unkeyedOperation(AT);
    const same = input();
    const { text: old } = await issueApiKey(same, operation, randomBytes(32), { keys, config });
    const { text } = await issueApiKey(same, operation, randomBytes(32), { keys, config });
    expect(await keys.list(same.org_id)).toHaveLength(1);
    expect(await keys.find(sha256Hex(old.reveal()), AT)).toBeUndefined();
    expect(await keys.find(sha256Hex(text.reveal()), AT)).toMatchObject({ org_id: same.org_id });
  });

  it('does not print the text of the key', async () => {
    const made = await issueApiKey(input(), unkeyedOperation(AT), randomBytes(32), { keys, config });
    expect(JSON.stringify(made)).toContain('"text":"[secret]"');
  });
});
