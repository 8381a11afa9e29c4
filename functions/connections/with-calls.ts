import type { Connection } from '#shared/domain/connection.model.ts';
import { shownCalls } from '#shared/domain/health.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A connection as it is answered: with how its calls go, which is counted apart from it. */
export async function withCalls(connection: Connection, { totals, clock }: Pick<Deps, 'totals' | 'clock'>) {
  return { ...connection, ...shownCalls(await totals.calls(connection), clock.now()) };
}
