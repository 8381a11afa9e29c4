import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/routing/connection-audit.rules.ts';

export interface ConnectionsPort {
  /** Also returns deleted connections: their payments still use them. */
  get(orgId: string, id: string): Promise<Connection | undefined>;
  /**
   * Writes the connection with its audit entry. False if the stored version is not `connection.version - 1` (0: not
   * stored), or if the workflow template `template`, which the connection now uses, does not exist.
   */
  save(connection: Connection, audit?: ConnectionAudit, template?: string): Promise<boolean>;
  /** Newest first, starting at the entry with the number `from`. */
  audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]>;
}
