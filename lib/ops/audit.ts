import type { OpsDeps } from '#lib/ops/ops-host.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import { newId } from '#shared/kernel/ids.ts';

/** Who runs a command, and what it is. */
export type Operator = { readonly by: string; readonly command: string; readonly reason: string | undefined };

type Change = {
  readonly action: PlatformAuditEntry['action'];
  readonly organization?: Pick<Organization, 'id' | 'name'> | undefined;
  readonly changes?: PlatformAuditEntry['metadata']['changes'];
};

/** The entry of a command in the platform's audit log. Its actor is whoever has the stage in hand. */
export const operatorEntry = (
  { action, organization, changes = {} }: Change,
  { by, command, reason }: Operator,
  at: Date,
): PlatformAuditEntry => ({
  id: newId('act', at),
  actor_id: 'operator',
  actor_email: by,
  action,
  target: { type: 'organization', id: organization?.id ?? '', name: organization?.name ?? '' },
  metadata: { changes, reason: [command, ...(reason === undefined ? [] : [reason])].join(': ') },
  created_at: at.toISOString(),
});

/** Before the command does anything: whatever it does is then in the log. */
export async function recordCommand(
  operator: Operator,
  organization: Change['organization'],
  { platform, clock }: Pick<OpsDeps, 'platform' | 'clock'>,
): Promise<void> {
  await platform.operate(operatorEntry({ action: 'command_run', organization }, operator, clock.now()));
}
