import { createOrganization } from '#functions/platform/create-organization.usecase.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { randomSecretBytes } from '#shared/services/accounts/new-secret.service.ts';

type BootstrapDeps = Pick<Deps, 'organizations' | 'keys' | 'owners' | 'clock'> & {
  readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret' | 'rotations'>;
};

type BootstrapInput = {
  readonly name: string;
  readonly legal_name: string;
  readonly owner: string;
  /** Creates another key, to replace a lost one. */
  readonly newKey: boolean;
};

export type BootstrapResult = {
  readonly orgId: string;
  readonly name: string;
  readonly owner: string;
  readonly isNew: boolean;
  readonly key: Secret | undefined;
};

/**
 * Creates a stage's first organization, its owner and its key. The organization derives from the owner's address, so
 * that a second run continues one that crashed. Of several runs the one that records the owner shows its key. It revokes
 * the other runs' keys, which nobody has seen.
 */
export async function bootstrapOrganization(
  { name, legal_name, owner, newKey }: BootstrapInput,
  deps: BootstrapDeps,
): Promise<BootstrapResult> {
  const { stage, hashSecret } = deps.config;
  const email = normalizeEmail(owner);
  const hash = (part: string) => keyedHash(hashSecret, stage, 'bootstrap', part, email);
  // Found under any version of the hash: a new one must not lead to another organization.
  const known = await deps.owners.byEmail(email);
  if (known) {
    const key = newKey ? (await issueFirstKey(known.org_id, deps)).text : undefined;
    const [found] = await deps.organizations.byIds([known.org_id]);
    return { orgId: known.org_id, name: found?.name ?? name, owner: email, isNew: false, key };
  }
  const organization = await createOrganization(hash('organization'), { name, legal_name }, deps);
  const result = { orgId: organization.id, name: organization.name, owner: email };
  const { apiKey, text } = await issueFirstKey(organization.id, deps);
  const isNew = await deps.owners.record({ email, org_id: organization.id, created_at: organization.created_at });
  const unseen = isNew ? (await deps.keys.list(organization.id)).filter(({ id }) => id !== apiKey.id) : [apiKey];
  for (const { id } of unseen) await deps.keys.revoke(organization.id, id);
  return { ...result, isNew, key: isNew ? text : undefined };
}

const issueFirstKey = (orgId: string, deps: BootstrapDeps) =>
  issueApiKey(
    { org_id: orgId, name: 'First key', kind: 'secret', scopes: SCOPES },
    unkeyedOperation(deps.clock.now()),
    randomSecretBytes(),
    deps,
  );
