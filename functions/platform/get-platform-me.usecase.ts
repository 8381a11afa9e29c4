import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Open to any session: dashboards ask it before they show the platform section. */
export async function getPlatformMe(_input: unknown, caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const role = await platform.roleOf(personOf(caller).userId);
  return { is_admin: role !== undefined, role: role ?? null };
}
