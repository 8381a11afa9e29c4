import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Told to everybody who is signed in: dashboards ask before they show the way to the rest. */
export async function getPlatformMe(_input: unknown, caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const role = await platform.roleOf(personOf(caller).userId);
  return { is_admin: role !== undefined, role: role ?? null };
}
