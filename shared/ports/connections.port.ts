import type { Connection, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/routing/connection-audit.rules.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';

export interface ConnectionsPort {
  /** Also returns deleted connections: their payments still use them. */
  get(orgId: string, id: string): Promise<Connection | undefined>;
  /** The same as it was some seconds ago: most calls cost nothing. */
  recent(orgId: string, id: string): Promise<Connection | undefined>;
  /** Without deleted ones. */
  list(orgId: string): Promise<readonly Connection[]>;
  /**
   * The connection that routing chose, with the credentials that it had then. Undefined if it was deleted since, or if
   * these credentials are no longer stored.
   */
  withCredentials(routed: RoutedConnection): Promise<Connection | undefined>;
  /**
   * Writes the connection with its audit entry. False if the stored version is not `connection.version - 1` (0: not
   * stored), or if the workflow template `template`, which the connection now uses, does not exist. Throws if the setup
   * would exceed a limit, and what `assertAllowed` throws for the setup that the connection is added to.
   */
  save(
    connection: Connection,
    audit?: ConnectionAudit,
    template?: string,
    assertAllowed?: (before: RoutingSetup) => void,
  ): Promise<boolean>;
  /** Counts verified events of the connection's account that are not about our payments. Shown with its calls. */
  countForeignEvents(
    connection: Pick<Connection, 'org_id' | 'id' | 'generation'>,
    count: number,
    at: Date,
  ): Promise<void>;
  /** Newest first, starting at the entry with the number `from`. */
  audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]>;
}
