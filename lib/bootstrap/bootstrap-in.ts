import { type Bootstrapped, bootstrapOrganization } from '#functions/platform/bootstrap-organization.usecase.ts';
import type { BootstrapWish } from '#lib/bootstrap/bootstrap-options.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { ApiKeyRepo } from '#shared/store/repos/api-key.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/organization.repo.ts';
import { OwnerRepo } from '#shared/store/repos/owner.repo.ts';

/** Works in this table, with the hash secret by which the host finds records. */
export function bootstrapIn(
  table: TablePort,
  hashSecret: string,
  clock: Clock,
  wish: BootstrapWish,
): Promise<Bootstrapped> {
  const { stage, name, legalName, owner, newKey } = wish;
  const deps = {
    organizations: new OrganizationRepo(table),
    keys: new ApiKeyRepo(table, true),
    owners: new OwnerRepo(table, hashSecret),
    clock,
    config: { stage, hashSecret },
  };
  return bootstrapOrganization({ name, legal_name: legalName, owner, newKey }, deps);
}
