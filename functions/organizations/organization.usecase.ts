import type {
  ChangeSettingsInput,
  ListOrganizationAuditInput,
  RenameOrganizationInput,
} from '#functions/organizations/organizations.schema.ts';
import { assertMayRename, changeSettings, rename, settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import {
  creatorOf,
  describeRenaming,
  organizationAuditEntry,
} from '#shared/domain/accounts/organization-audit.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getOrganization(
  _input: unknown,
  { orgId, person }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const organization = orNotFound(await organizations.byId(orgId), 'This organization does not exist.');
  return { ...organization, renamed_by: organization.renamed_by ?? null, role: person?.role ?? null };
}

/** A concurrent KYC decision is neither lost nor carried over to the new name: the loser of the race reads again. */
export function renameOrganization(
  input: RenameOrganizationInput,
  caller: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  const role = signedInUserOf(caller).role ?? null;
  return retryOnConflict(async () => {
    const before = orNotFound(await organizations.byId(caller.orgId), 'This organization does not exist.');
    const { renamed_by = null } = before;
    const names = rename(before, input);
    if (!names) return { ...before, renamed_by, role };
    assertMayRename(role, before, names);
    const renamed = { ...names, renamed_by: creatorOf(caller) };
    const audit = organizationAuditEntry(describeRenaming(before, names), caller, caller.operation);
    return (await organizations.change(before, renamed, audit)) ? { ...before, ...renamed, role } : undefined;
  }, 'This organization is being changed by other requests. Try again.');
}

export async function getOrganizationSettings(
  _input: unknown,
  { orgId }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  return settingsOf(orNotFound(await organizations.byId(orgId), 'This organization does not exist.'));
}

/** Two members who change different settings at once both get theirs: the loser of the race reads again. */
export function changeOrganizationSettings(
  input: ChangeSettingsInput,
  { orgId }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  return retryOnConflict(async () => {
    const before = orNotFound(await organizations.byId(orgId), 'This organization does not exist.');
    const changed = changeSettings(before, input);
    if (!changed) return settingsOf(before);
    return (await organizations.changeSettings(before, changed)) ? changed : undefined;
  }, 'This organization is being changed by other requests. Try again.');
}

export function listOrganizationAudit(
  query: ListOrganizationAuditInput,
  { orgId }: Caller,
  { organizations }: Pick<Deps, 'organizations'>,
) {
  return organizations.auditEntries(orgId, query);
}
