import { roleTold } from '#shared/domain/accounts/platform.rules.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { TablePort, Write } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { actItem, adminItem, toAdmin } from '#shared/store/repos/platform.entity.ts';

/** Part of the sign-in transaction, with its audit entry: no administrator granted the role. */
export async function takeUpPlatformRole(
  table: TablePort,
  { id, email }: User,
  role: PlatformRole,
  at: string,
): Promise<readonly Write[]> {
  const item = await table.get(keys.platformAdmin(id), { consistent: true });
  const before = item && toAdmin(item);
  const after = { user_id: id, email, role, created_at: before?.created_at ?? at };
  const told = roleTold(before, after);
  const metadata = { ...told.metadata, reason: 'Laid down by the bootstrap command, and taken up by signing in.' };
  const act = { ...told, id: newId('act', new Date(at)), actor_id: id, actor_email: email, metadata, created_at: at };
  return [
    { put: adminItem(after), cond: before ? { eq: ['role', before.role] } : { absent: 'pk' } },
    { put: actItem(act), cond: { absent: 'pk' } },
  ];
}
