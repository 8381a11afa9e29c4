import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { shownCalls } from '#shared/domain/routing/health.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A connection as the API shows it: with its call health, which is counted separately. */
export async function withCalls(connection: Connection, { totals, clock }: Pick<Deps, 'totals' | 'clock'>) {
  return { ...connection, ...shownCalls(await totals.calls(connection), clock.now()) };
}
