import type { AgentLimits, AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';

export type ApprovalsQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
  /** Only those that wait for a person at this time. */
  readonly waitingAt?: Date | undefined;
};

/** An agent's key and its idempotency key: what a request of an agent is found by. */
export type AgentRequestKey = { readonly orgId: string; readonly keyId: string; readonly idempotencyKey: string };

/** Counts from this hour on, for a day. */
export type AgentSpending = { readonly hour: number; readonly limit: number };

export interface AgentsPort {
  limits(orgId: string): Promise<AgentLimits>;
  /** False if another change came first. */
  saveLimits(orgId: string, before: AgentLimits, after: AgentLimits, audit: OrganizationAuditEntry): Promise<boolean>;
  /** Strongly consistent. */
  find(key: AgentRequestKey): Promise<AgentRequest | undefined>;
  get(orgId: string, id: string): Promise<AgentRequest | undefined>;
  /** The id of a new request with this key. */
  newId(key: AgentRequestKey, at: Date): string;
  /**
   * Stores a new request in the place of `before`, with its audit entry; with `spending`, only if what the key has
   * moved within a day leaves room for its amount. `conflict`: another request came first.
   */
  add(
    request: AgentRequest,
    before: AgentRequest | undefined,
    audit: OrganizationAuditEntry,
    spending?: AgentSpending,
  ): Promise<'done' | 'over_limit' | 'conflict'>;
  /** False if it has changed since it was read. */
  change(before: AgentRequest, after: AgentRequest, audit: OrganizationAuditEntry): Promise<boolean>;
  /** How many wait for a person at this time, up to `max`; an index counts, which may lag. */
  countWaiting(orgId: string, at: Date, max: number): Promise<number>;
  /** Those that waited for a person, newest first. */
  list(orgId: string, query: ApprovalsQuery): Promise<ListPage<AgentRequest>>;
}
