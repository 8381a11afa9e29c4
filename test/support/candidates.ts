import type { Candidate } from '#shared/domain/routing/candidates.rules.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';

/** Connections as fully usable candidates, unless `facts` says otherwise. */
export const candidatesOf = (
  connections: readonly RoutedConnection[],
  facts: (connection: RoutedConnection) => Partial<Candidate> = () => ({}),
): readonly Candidate[] =>
  connections.map((connection) => ({
    connection,
    health: 'unknown',
    supportsAmount: true,
    capturesLater: true,
    lacksEmail: false,
    hasToken: true,
    ...facts(connection),
  }));
