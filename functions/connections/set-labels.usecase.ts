import { changeConnection } from '#functions/connections/change-connection.ts';
import { needLive } from '#functions/connections/stored-connection.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import { nextVersion } from '#shared/domain/routing/connection.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Input = { readonly id: string; readonly labels: readonly string[] };

/** Replaces all labels. */
export async function setLabels(
  { id, labels }: Input,
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'totals' | 'clock'>,
) {
  const changed = await changeConnection(
    id,
    'labels_changed',
    (stored) => ({ ...nextVersion(needLive(stored), deps.clock.now()), labels }),
    caller,
    deps,
  );
  return withCalls(changed, deps);
}
