import { storedConnection } from '#functions/connections/stored-connection.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getConnection(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'totals' | 'clock'>,
) {
  return withCalls(await storedConnection({ id }, caller, deps), deps);
}
