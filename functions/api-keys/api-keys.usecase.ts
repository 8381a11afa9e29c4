import type { CreateApiKeyInput, ListApiKeysInput } from '#functions/api-keys/api-keys.schema.ts';
import { assertVerified } from '#shared/domain/accounts/organization.rules.ts';
import { assertWithinLimit, effectivePlan, limitOf } from '#shared/domain/accounts/plan.rules.ts';
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
export async function createApiKey({ name, kind, scopes }: CreateApiKeyInput, caller: Caller, deps: CreateDeps) {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  const credential = caller.kind === 'session' ? 'role' : 'API key';
  if (missing.length > 0) {
    const message = `Your ${credential} cannot grant scopes that it does not have: ${missing.join(', ')}.`;
    throw new AppError('scope_escalation', message);
  }
  if (deps.config.stage === 'live') await assertLiveKeyAllowed(caller, deps);

  const bytes = await newSecretBytes(caller, deps);
  const input = { org_id: caller.orgId, name, kind, scopes };
  const { apiKey, text } = await issueApiKey(input, caller.operation, bytes, deps);
  return { ...apiKey, key: text.reveal() };
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
  const items = page.items.map(({ hash: _, ...key }, n) => ({ ...key, last_used_at: used[n] ?? null }));
  return { ...page, items };
}

/** A retry after a crash may find the key already revoked by its first run: that is success. */
export async function revokeApiKey({ id }: { readonly id: string }, caller: Caller, { keys }: Pick<Deps, 'keys'>) {
  const revoked = isId('key', id) && ((await keys.revoke(caller.orgId, id)) || caller.operation.resumed);
  if (!revoked) throw new AppError('not_found', 'There is no API key with this id.');
  return { id, deleted: true as const };
}
