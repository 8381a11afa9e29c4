import { foundOrganization } from '#functions/platform/found-organization.usecase.ts';
import { normalEmail } from '#shared/domain/reference/mail-address.rules.ts';
import { SCOPES } from '#shared/domain/reference/scopes.catalog.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { type Operation, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';

type Needs = Pick<Deps, 'organizations' | 'keys' | 'owners' | 'clock'> & {
  readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'>;
};

type BootstrapInput = {
  readonly name: string;
  readonly legal_name: string;
  readonly owner: string;
  /** For a replacement of a lost first key. */
  readonly newKey: boolean;
};

export type Bootstrapped = {
  readonly orgId: string;
  readonly name: string;
  readonly owner: string;
  readonly isNew: boolean;
  readonly key: Secret | undefined;
};

/**
 * Creates a stage's first organization, its owner and its key, all derived from the owner's address, so that a run that
 * died is continued. The owner's record is written last and closes the matter: without it a second run would make the
 * key again that was shown before, even after its revocation.
 */
export async function bootstrapOrganization(
  { name, legal_name, owner, newKey }: BootstrapInput,
  deps: Needs,
): Promise<Bootstrapped> {
  const { stage, hashSecret } = deps.config;
  const email = normalEmail(owner);
  const hash = (what: string) => keyedHash(hashSecret, stage, 'bootstrap', what, email);
  const organization = await foundOrganization(hash('organization'), { name, legal_name }, deps);
  const result = { orgId: organization.id, name: organization.name, owner: email };
  const keyOf = (operation: Operation) =>
    issueApiKey({ org_id: organization.id, name: 'First key', kind: 'secret', scopes: SCOPES }, operation, deps);

  if (await deps.owners.byEmail(email))
    return {
      ...result,
      isNew: false,
      key: newKey ? (await keyOf(unkeyedOperation(deps.clock.now()))).text : undefined,
    };
  const { text } = await keyOf({
    seed: hash('key').toString('hex'),
    at: new Date(organization.created_at),
    resumed: true,
  });
  const isNew = await deps.owners.record({ email, org_id: organization.id, created_at: organization.created_at });
  return { ...result, isNew, key: isNew ? text : undefined };
}
