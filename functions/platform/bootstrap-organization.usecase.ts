import { createOrganization } from '#functions/platform/create-organization.usecase.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { type Operation, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';

type BootstrapDeps = Pick<Deps, 'organizations' | 'keys' | 'owners' | 'clock'> & {
  readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'>;
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
 * Creates a stage's first organization, its owner and its key. All of them derive from the owner's address, so that a
 * second run continues one that crashed. The owner's record is written last: without it, a second run would create the
 * first key again, even after it was revoked.
 */
export async function bootstrapOrganization(
  { name, legal_name, owner, newKey }: BootstrapInput,
  deps: BootstrapDeps,
): Promise<BootstrapResult> {
  const { stage, hashSecret } = deps.config;
  const email = normalizeEmail(owner);
  const hash = (part: string) => keyedHash(hashSecret, stage, 'bootstrap', part, email);
  const organization = await createOrganization(hash('organization'), { name, legal_name }, deps);
  const result = { orgId: organization.id, name: organization.name, owner: email };
  const issueKey = (operation: Operation) =>
    issueApiKey({ org_id: organization.id, name: 'First key', kind: 'secret', scopes: SCOPES }, operation, deps);

  if (await deps.owners.byEmail(email)) {
    const key = newKey ? (await issueKey(unkeyedOperation(deps.clock.now()))).text : undefined;
    return { ...result, isNew: false, key };
  }
  const { text } = await issueKey({
    seed: hash('key').toString('hex'),
    at: new Date(organization.created_at),
    resumed: true,
  });
  const isNew = await deps.owners.record({ email, org_id: organization.id, created_at: organization.created_at });
  return { ...result, isNew, key: isNew ? text : undefined };
}
