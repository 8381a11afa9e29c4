import type { CreateApiKeyInput, ListApiKeysInput, RevokeApiKeyInput } from '#functions/api-keys/api-keys.schema.ts';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import { assertVerified } from '#shared/domain/accounts/organization.rules.ts';
import {
  descendantsOf,
  describeKey,
  organizationAuditEntry,
} from '#shared/domain/accounts/organization-audit.rules.ts';
import { assertWithinLimit, effectivePlan, limitOf } from '#shared/domain/accounts/plan.rules.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { newSecretBytes } from '#shared/services/accounts/new-secret.service.ts';

type CreateDeps = Pick<Deps, 'keys' | 'config' | 'clock' | 'claims' | 'vault'>;

/** The only response that ever contains the key's text. */
export async function createApiKey(
  { name, kind, scopes, agent = false }: CreateApiKeyInput,
  caller: Caller,
  deps: CreateDeps,
) {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  const credential = caller.kind === 'session' ? 'role' : 'API key';
  if (missing.length > 0) {
    const message = `Your ${credential} cannot grant scopes that it does not have: ${missing.join(', ')}.`;
    throw new AppError('scope_escalation', message);
  }
  if (deps.config.stage === 'live') await assertLiveKeyAllowed(caller, deps);

  const bytes = await newSecretBytes(caller, deps);
  const input = { org_id: caller.orgId, name, kind, scopes, ...(agent && { agent }) };
  const { apiKey, text } = await issueApiKey(input, caller.operation, bytes, deps, caller);
  return { ...apiKey, agent, key: text.reveal() };
}

/** A retry after a crash may find the key that its first run created: that key was within the plan's limit. */
async function assertLiveKeyAllowed(
  { orgId, operation, routingData }: Caller,
  { keys, config, clock }: Pick<CreateDeps, 'keys' | 'config' | 'clock'>,
): Promise<void> {
  const { organization } = await routingData();
  assertVerified(organization);
  const plan = effectivePlan(organization, config.stage);
  if (limitOf(plan, 'api_keys') === null) return;
  const existing = await keys.list(orgId);
  if (!existing.some(({ id }) => id === operationId(operation, 'key')))
    assertWithinLimit(plan, 'api_keys', existing.length, clock.now());
}

/** The time of last use is stored with the key's request counters, so it is read for the keys of this page only. */
export async function listApiKeys(query: ListApiKeysInput, caller: Caller, { keys }: Pick<Deps, 'keys'>) {
  const page = pageOf(await keys.list(caller.orgId), query, ({ id }) => id);
  const used = await keys.lastUsed(page.items);
  const items = page.items.map(({ hash: _, counters: __, agent = false, ...key }, n) => ({
    ...key,
    agent,
    last_used_at: used[n] ?? null,
  }));
  return { ...page, items };
}

/** Of the credential that asks: whoever has it may know it. */
export async function getCurrentApiKey(_: unknown, caller: Caller, { config }: Pick<Deps, 'config'>) {
  const { credentialId, orgId, kind, scopes, agent = false } = caller;
  return {
    id: credentialId,
    org_id: orgId,
    mode: config.stage,
    kind: kind as 'service' | 'secret' | 'session',
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    agent,
  };
}

/**
 * A retry after a crash may find the key already revoked by its first run: that is success. So is a key that was revoked
 * earlier without its descendants, and now has some to revoke.
 */
export async function revokeApiKey(
  { id, descendants }: RevokeApiKeyInput & { readonly id: string },
  caller: Caller,
  { keys }: Pick<Deps, 'keys'>,
) {
  const isKeyId = isId('key', id);
  const existing = isKeyId ? (await keys.list(caller.orgId)).find((key) => key.id === id) : undefined;
  const revoked = existing !== undefined && (await revokeKey(existing, caller, keys));
  const revokedDescendants = isKeyId && descendants ? await revokeDescendants(id, caller, keys) : [];
  if (!revoked && revokedDescendants.length === 0 && !(isKeyId && caller.operation.resumed))
    throw new AppError('not_found', 'There is no API key with this id.');
  return { id, deleted: true as const, ...(descendants && { revoked_descendants: revokedDescendants }) };
}

const revokeKey = (key: ApiKey, caller: Caller, keys: Deps['keys']): Promise<boolean> =>
  keys.revoke(
    caller.orgId,
    key.id,
    organizationAuditEntry(describeKey('api_key_revoked', key), caller, caller.operation),
  );

/** How often it looks again for keys that were created while it revoked their creators. */
const MAX_PASSES = 20;
const REVOKED_AT_ONCE = 10;

/**
 * The key itself is revoked before, so that it creates no more. A descendant may create another one until it is revoked
 * too: so it looks again, until it finds none.
 */
async function revokeDescendants(id: string, caller: Caller, keys: Deps['keys']): Promise<readonly string[]> {
  const done: string[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const [existing, revoked] = await Promise.all([keys.list(caller.orgId), keys.revoked(caller.orgId)]);
    const found = descendantsOf(id, existing, revoked);
    if (found.length === 0) return done;
    for (let first = 0; first < found.length; first += REVOKED_AT_ONCE) {
      const batch = found.slice(first, first + REVOKED_AT_ONCE);
      await Promise.all(batch.map((key) => revokeKey(key, caller, keys)));
      done.push(...batch.map((key) => key.id));
    }
  }
  throw new AppError('write_conflict', 'These keys go on creating keys while they are revoked. Try again.');
}
