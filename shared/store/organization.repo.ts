import type { Connection } from '#shared/domain/connection.model.ts';
import type { Organization } from '#shared/domain/organization.model.ts';
import type { ConnectionsPort, OrganizationsPort, Setup } from '#shared/ports/stores.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';
import { toCalls } from '#shared/store/totals.repo.ts';

/** An organization and all that routing needs of it, in one partition. */
export class OrganizationRepo implements OrganizationsPort, ConnectionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(organization: Organization): Promise<void> {
    await this.#table.put({ ...keys.organization(organization.id), item_type: 'organization', ...organization }, { absent: 'pk' });
  }

  /** Consistent: a connection that was just made takes the next payment. */
  async setup(orgId: string): Promise<Setup> {
    const items: Item[] = [];
    let after: string | undefined;
    do {
      const page = await this.#table.query({ pk: `ORG#${orgId}`, range: { between: ['a', 'z'] }, limit: 1_000, consistent: true, ...(after && { after }) });
      items.push(...page.items);
      after = page.next;
    } while (after);
    const of = (type: string) => items.filter((item) => item.item_type === type);
    return {
      organization: of('organization').map((item) => stripped<Organization>(item))[0],
      connections: of('connection').map((item) => stripped<Connection>(item)),
      calls: new Map(of('calls').map((item) => [String(item.connection_id), toCalls(item)])),
    };
  }

  async get(orgId: string, id: string): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(orgId, id), { consistent: true });
    return item && stripped<Connection>(item);
  }

  async save(connection: Connection): Promise<boolean> {
    const item = { ...(connection as unknown as Item), ...keys.connection(connection.org_id, connection.id), item_type: 'connection' };
    const written = await certainPut(this.#table, item, connection.version === 1 ? { absent: 'pk' } : { eq: ['version', connection.version - 1] });
    return written.ok;
  }
}

function stripped<T>(item: Item): T {
  const { pk: _, sk: __, item_type: ___, nonce: ____, ...rest } = item;
  return rest as unknown as T;
}
