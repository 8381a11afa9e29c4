import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

/** An object of the caller's; what belongs to another account is not there. */
export function ownOf<T extends Stored>(
  work: Work,
  id: string | null | undefined,
  is: (stored: Stored) => stored is T,
): T | undefined {
  const stored = work.objects.find(id, is);
  return stored?.account === work.account ? stored : undefined;
}
