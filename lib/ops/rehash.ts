import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import type { OpsHost, OpsResult } from '#lib/ops/ops-host.ts';
import { allOrganizations } from '#lib/recovery/walk-records.ts';
import { PROBE_ORGANIZATION } from '#shared/domain/reference/probe.rules.ts';
import { moveHashed } from '#shared/store/hashed-keys.ts';
import { ownerKey } from '#shared/store/repos/accounts/owner.repo.ts';
import { mailAddressKey } from '#shared/store/repos/accounts/user.entity.ts';

/**
 * Moves mail addresses to the current version of their hash, so that a former version of the secret can be dropped. Each
 * would move with the next sign-in of its user: this is for those who do not come. An owner who has never signed in is no
 * member yet, and found by nothing but the address: `named`.
 */
export async function rehash(
  named: readonly string[],
  operator: Operator | undefined,
  host: OpsHost,
): Promise<OpsResult> {
  const { rotations } = host.deps.config;
  if (!rotations?.hashSecret)
    throw new Error('There is one version of the hash secret. Set HASH_VERSIONS as the stage has it, such as "2;1".');
  if (operator) await recordCommand(operator, undefined, host.deps);
  let moved = 0;
  const { emails, withoutMembers } = await addresses(host);
  for (const email of named) emails.add(email);
  for (const email of emails)
    for (const keyOf of [mailAddressKey(email), ownerKey(email)])
      if (await moveHashed(host.table, host.deps.config, keyOf, { rehearse: operator === undefined })) moved += 1;
  const { version } = rotations.hashSecret;
  const done = `${moved} items ${operator ? 'moved' : 'would be moved'} to version ${version}`;
  return {
    text: [`${emails.size} addresses checked, ${done}.`, ...withoutMembers.map(NO_MEMBER), ''].join('\n'),
    data: { checked: emails.size, moved, version, without_members: withoutMembers },
  };
}

const NO_MEMBER = (orgId: string): string =>
  `${orgId} has no member. If its owner has not signed in yet, name the address: rehash owner@example.com`;

/** Members of organizations and administrators of the platform. The probe's organization never has any. */
async function addresses({ deps }: OpsHost) {
  const emails = new Set((await deps.platform.admins()).map(({ email }) => email));
  const withoutMembers: string[] = [];
  for await (const orgId of allOrganizations(deps)) {
    const members = await deps.members.list(orgId);
    for (const { email } of members) emails.add(email);
    if (members.length === 0 && orgId !== PROBE_ORGANIZATION) withoutMembers.push(orgId);
  }
  return { emails, withoutMembers };
}
