import type { AgentLimits, AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import { approvalStatus, firstWaiting, HOURS_COUNTED } from '#shared/domain/accounts/agent.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { DAY, HOUR, plus, SECOND } from '#shared/kernel/clock.ts';
import { derivedId, isId, minId } from '#shared/kernel/ids.ts';
import type { AgentRequestKey, AgentSpending, AgentsPort, ApprovalsQuery } from '#shared/ports/agents.port.ts';
import { agentIndexKeys, agentKeys } from '#shared/store/agent-keys.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { listRecords } from '#shared/store/list-records.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import type { Condition, Item, TablePort, Write } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';

/** People look at decided requests for a while. Then the store deletes them: the audit log keeps what happened. */
const KEPT = 30 * DAY;

/** A key's sums are of no use a day after its last request. */
const SPENDING_KEPT = 2 * DAY;

/** Hours that are over, as far back as the item may reach. The last one stays for requests that began in it. */
const HOURS_REMOVED = SPENDING_KEPT / HOUR;

const ttl = (from: string, length: number): number => Math.ceil(plus(from, length).getTime() / SECOND);

/** Requests of agents, and what they may do alone. Only the guard of agents' keys and people's decisions load it. */
export class AgentRepo implements AgentsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async limits(orgId: string): Promise<AgentLimits> {
    const item = await this.#table.get(agentKeys.agentLimits(orgId), { consistent: true });
    return (item?.daily ?? {}) as AgentLimits;
  }

  async saveLimits(
    orgId: string,
    before: AgentLimits,
    after: AgentLimits,
    audit: OrganizationAuditEntry,
  ): Promise<boolean> {
    const same: Condition = { eq: ['daily', before] };
    const none: Condition = { absent: 'pk' };
    const put: Item = { ...agentKeys.agentLimits(orgId), item_type: 'agent_limits', daily: after };
    const condition = Object.keys(before).length === 0 ? { any: [none, same] } : same;
    return (await transactWithRetry(this.#table, [{ put, condition }, auditWrite(audit)])).ok;
  }

  newId({ orgId, keyId, idempotencyKey }: AgentRequestKey, at: Date): string {
    return derivedId('approval', at, orgId, keyId, idempotencyKey);
  }

  /** The part of an id that finds the record derives from the key alone, whenever the request comes. */
  async find(key: AgentRequestKey): Promise<AgentRequest | undefined> {
    const item = await this.#read(this.newId(key, new Date(0)));
    return item?.org_id === key.orgId && item.key_id === key.keyId ? item : undefined;
  }

  async get(orgId: string, id: string): Promise<AgentRequest | undefined> {
    const request = isId('approval', id) ? await this.#read(id) : undefined;
    return request?.org_id === orgId && request.id === id && request.status !== 'allowed' ? request : undefined;
  }

  async #read(id: string): Promise<AgentRequest | undefined> {
    const item = await this.#table.get(agentKeys.agentRequest(id), { consistent: true });
    return item && toRequest(item);
  }

  async add(
    request: AgentRequest,
    before: AgentRequest | undefined,
    audit: OrganizationAuditEntry,
    spending?: AgentSpending,
  ): Promise<'done' | 'over_limit' | 'conflict'> {
    const put: Write = { put: toItem(request), condition: before ? unchanged(before) : { absent: 'pk' } };
    const writes = [put, auditWrite(audit), ...(spending ? [spendingWrite(request, spending)] : [])];
    const written = await transactWithRetry(this.#table, writes);
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index === 0) ? 'conflict' : 'over_limit';
  }

  async change(before: AgentRequest, after: AgentRequest, audit: OrganizationAuditEntry): Promise<boolean> {
    const put: Write = { put: toItem(after), condition: unchanged(before) };
    return (await transactWithRetry(this.#table, [put, auditWrite(audit)])).ok;
  }

  async countWaiting(orgId: string, at: Date, max: number): Promise<number> {
    const range = { ge: minId('approval', firstWaiting(at)) };
    const { count } = await this.#table.count('status', { pk: agentIndexKeys.agentsWaiting(orgId), range, limit: max });
    return count;
  }

  /** What nobody decided in time stays in the index of those that wait until it is deleted. */
  list(orgId: string, { waitingAt, limit, offset, cursor }: ApprovalsQuery): Promise<ListPage<AgentRequest>> {
    const source = waitingAt
      ? ({ index: 'status', partitions: [agentIndexKeys.agentsWaiting(orgId)], exact: false } as const)
      : ({ index: 'list', partitions: [agentIndexKeys.agentApprovals(orgId)], exact: true } as const);
    const matches = (request: AgentRequest) => !waitingAt || approvalStatus(request, waitingAt) === 'pending';
    const query = {
      limit,
      offset,
      ...(cursor !== undefined && { cursor }),
      ...(waitingAt && { created_after: firstWaiting(waitingAt).toISOString() }),
    };
    return listRecords(this.#table, { source, idKind: 'approval', read: toRequest, matches }, query);
  }
}

const toRequest = (item: Item): AgentRequest => {
  const { ttl: _, ...request } = fromItem<AgentRequest & { readonly ttl: number }>(item);
  return request;
};

function toItem(request: AgentRequest): Item {
  const { id, org_id, status, expires_at } = request;
  const list = status !== 'allowed' && { list_pk: agentIndexKeys.agentApprovals(org_id), list_sk: id };
  const waiting = status === 'pending' && { status_pk: agentIndexKeys.agentsWaiting(org_id), status_sk: id };
  const own = { ...agentKeys.agentRequest(id), item_type: 'agent_request', ttl: ttl(expires_at, KEPT) };
  return { ...own, ...request, ...list, ...waiting };
}

const unchanged = ({ id, status, used_at }: AgentRequest): Condition => ({
  all: [{ eq: ['id', id] }, { eq: ['status', status] }, { eq: ['used_at', used_at] }],
});

const counted = (hour: number): string => `in_${hour}`;
const hoursFrom = (first: number, length: number): readonly number[] => Array.from({ length }, (_, n) => first + n);

/**
 * An attribute for each hour: what counts in it, of that hour and of the day before. A request adds its amount to all
 * hours in which it will count, so that the update needs no read to know what has moved within a day, and fails where
 * that would pass the limit. One that began in the hour before may come later, so the next hour needs room too.
 */
function spendingWrite({ key_id, amount, currency, created_at }: AgentRequest, { hour, limit }: AgentSpending): Write {
  const sum = amount ?? 0;
  const hasRoom = (name: string): Condition => ({ any: [{ absent: name }, { le: [name, limit - sum] }] });
  return {
    update: agentKeys.agentSpending(key_id, currency ?? ''),
    change: {
      add: Object.fromEntries(hoursFrom(hour, HOURS_COUNTED + 1).map((each) => [counted(each), sum])),
      set: { item_type: 'agent_spending', ttl: ttl(created_at, SPENDING_KEPT) },
      remove: hoursFrom(hour - 1 - HOURS_REMOVED, HOURS_REMOVED).map(counted),
    },
    condition: { all: [hasRoom(counted(hour)), hasRoom(counted(hour + 1))] },
  };
}
