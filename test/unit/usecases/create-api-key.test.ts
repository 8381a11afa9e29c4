import { describe, expect, it } from 'vitest';
import type { CreateApiKeyInput } from '#functions/api-keys/api-keys.schema.ts';
import { createApiKey, revokeApiKey } from '#functions/api-keys/api-keys.usecase.ts';
import { organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { randomSecretBytes } from '#shared/services/accounts/new-secret.service.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { type World, world } from '#test/support/world.ts';

const INPUT: CreateApiKeyInput = { name: 'Child', kind: 'service', scopes: ['payments:read'] };

/** A world with a key, and a caller who was authenticated with it. */
async function holdingKey() {
  const w = await world();
  const input = { org_id: ORG, name: 'Root', kind: 'service', scopes: [] } as const;
  const { apiKey } = await issueApiKey(input, unkeyedOperation(w.clock.now()), randomSecretBytes(), w.deps);
  const caller = w.caller({ credentialId: apiKey.id, idempotencyRequest: undefined });
  return { w, apiKey, caller };
}
const names = async ({ deps }: World) => (await deps.keys.list(ORG)).map(({ name }) => name);

describe('a key that creates a key', () => {
  it('creates none if it is revoked while its request runs', async () => {
    const { w, apiKey, caller } = await holdingKey();
    await w.deps.keys.revoke(ORG, apiKey.id);
    await expect(createApiKey(INPUT, caller, w.deps)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect([await names(w), (await w.deps.organizations.auditEntries(ORG, { limit: 9, offset: 0 })).items]).toEqual([
      [],
      [],
    ]);
  });

  it('is revoked with a key that a descendant creates while they are being revoked', async () => {
    const { w, apiKey, caller } = await holdingKey();
    const child = await createApiKey(INPUT, caller, w.deps);
    let late = true;
    const keys: World['deps']['keys'] = {
      ...bound(w.deps.keys),
      revoke: async (orgId, id, audit) => {
        if (late && id === child.id) {
          late = false;
          await createApiKey(
            { ...INPUT, name: 'Late' },
            w.caller({ credentialId: id, idempotencyRequest: undefined }),
            w.deps,
          );
        }
        return w.deps.keys.revoke(orgId, id, audit);
      },
    };
    const { revoked_descendants } = await revokeApiKey({ id: apiKey.id, descendants: true }, w.caller(), { keys });
    expect([revoked_descendants?.length, await names(w)]).toEqual([2, []]);
  });

  it('revokes the rest when a crash has interrupted it, in a repeat of the request', async () => {
    const { w, apiKey, caller } = await holdingKey();
    const child = await createApiKey(INPUT, caller, w.deps);
    const repeated = w.caller();
    await w.deps.keys.revoke(ORG, apiKey.id);
    const resumed = { ...repeated, operation: { ...repeated.operation, resumed: true } };
    const input = { id: apiKey.id, descendants: true };
    expect((await revokeApiKey(input, resumed, w.deps)).revoked_descendants).toEqual([child.id]);
    expect((await revokeApiKey(input, resumed, w.deps)).deleted).toBe(true);
  });
});

/** The methods of a repository as an object that a test can change. */
const bound = (keys: World['deps']['keys']): World['deps']['keys'] => ({
  create: (...all) => keys.create(...all),
  list: (...all) => keys.list(...all),
  lastUsed: (...all) => keys.lastUsed(...all),
  revoke: (...all) => keys.revoke(...all),
  revoked: (...all) => keys.revoked(...all),
  applyRate: (...all) => keys.applyRate(...all),
  authenticate: (...all) => keys.authenticate(...all),
  find: (...all) => keys.find(...all),
});

describe('an audit entry', () => {
  const actor = { credentialId: 'key_1', actorId: 'somebody' };
  const change = { org_id: ORG, action: 'renamed', target: { type: 'organization', id: ORG, name: 'Shop' } } as const;

  it('is the same for a repeat of the operation, and another one for another operation', () => {
    const operation = unkeyedOperation(new Date('2026-01-31T12:00:00.000Z'));
    const entry = organizationAuditEntry(change, actor, operation);
    expect(organizationAuditEntry(change, actor, { ...operation })).toEqual(entry);
    expect(organizationAuditEntry(change, actor, unkeyedOperation(operation.at)).id).not.toBe(entry.id);
  });

  it('never takes the actor from what the caller claims', () => {
    const entry = organizationAuditEntry(change, { ...actor, actorId: 'system' }, unkeyedOperation(new Date(0)));
    expect([entry.actor_id, entry.metadata.claimed_actor_id]).toEqual(['key_1', 'system']);
  });
});
