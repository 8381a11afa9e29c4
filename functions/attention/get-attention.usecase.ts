import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { AWAITING_STATUSES, awaitsAnswer } from '#shared/domain/disputes/dispute.rules.ts';
import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import {
  connectionsToShow,
  disputesToShow,
  invoicesToShow,
  MAX_COUNTED,
  reviewToShow,
  SHOWN_ITEMS,
  sectionOf,
  webhookState,
} from '#shared/domain/reporting/attention.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type AttentionDeps = Pick<
  Deps,
  | 'agents'
  | 'clock'
  | 'connections'
  | 'disputes'
  | 'events'
  | 'invoices'
  | 'payments'
  | 'reviews'
  | 'storedTotals'
  | 'webhookConfigs'
>;

/** Failed events of earlier days were seen, or nobody waits for them. */
const EVENTS_OF = 30 * DAY;
const FIRST_PAGE = { limit: MAX_COUNTED, offset: 0 } as const;

/** What waits for a person. Each kind is a bounded read of an index, however much there is of it. */
export async function getAttention(_: unknown, caller: Caller, deps: AttentionDeps) {
  const allowed = <T>(scope: Scope, read: () => Promise<T>) => (caller.scopes.includes(scope) ? read() : null);
  const [reviews, disputes, connections, invoices, webhooks, approvals] = await Promise.all([
    reviewsOf(caller.orgId, deps),
    disputesOf(caller.orgId, deps),
    allowed('connections:read', () => connectionsOf(caller.orgId, deps)),
    allowed('invoices:read', () => invoicesOf(caller.orgId, deps)),
    allowed('webhooks:read', () => webhooksOf(caller.orgId, deps)),
    caller.person ? approvalsOf(caller.orgId, deps) : null,
  ]);
  return { reviews, disputes, connections, invoices, webhooks, approvals };
}

async function reviewsOf(orgId: string, { reviews, payments }: AttentionDeps) {
  const { ids, next } = await reviews.list(orgId, FIRST_PAGE);
  const first = await Promise.all(ids.slice(0, SHOWN_ITEMS).map((id) => payments.get(orgId, id)));
  const items = first.flatMap((payment) => (payment ? reviewToShow(payment) : []));
  // Those that were ended meanwhile are still in the list.
  const ended = first.length - items.length;
  return { count: ids.length - ended, more: next !== undefined, items };
}

async function disputesOf(orgId: string, { disputes, clock }: AttentionDeps) {
  const pages = await Promise.all(AWAITING_STATUSES.map((status) => disputes.list(orgId, { ...FIRST_PAGE, status })));
  const waiting = pages.flatMap(({ items }) => items).filter(awaitsAnswer);
  const hasMore = pages.some(({ next }) => next !== undefined);
  return sectionOf(disputesToShow(waiting, clock.now()), hasMore);
}

async function connectionsOf(orgId: string, { connections, storedTotals, clock }: AttentionDeps) {
  const all = await connections.list(orgId);
  const calls = all.length > 0 ? await storedTotals.callTotalsOf(orgId, all) : new Map();
  return sectionOf(connectionsToShow(all, calls, clock.now()), false);
}

/** What agents wait for: only people decide about it, and those that nobody decided in time wait no longer. */
async function approvalsOf(orgId: string, { agents, clock }: AttentionDeps) {
  const { items, next } = await (await agents()).list(orgId, { ...FIRST_PAGE, waitingAt: clock.now() });
  return sectionOf(
    items.map(({ id, operation, amount, currency, expires_at }) => ({ id, operation, amount, currency, expires_at })),
    next !== undefined,
  );
}

/** Open invoices may be under way for days. Those that failed are older, and lie behind them. */
const MAX_INVOICE_PAGES = 5;

async function invoicesOf(orgId: string, { invoices }: AttentionDeps) {
  const open: Invoice[] = [];
  let cursor: string | undefined;
  for (let n = 0; n < MAX_INVOICE_PAGES; n += 1) {
    const more = cursor !== undefined && { cursor };
    const { items, next } = await invoices.list(orgId, { ...FIRST_PAGE, ...more, status: 'open' });
    open.push(...items);
    cursor = next;
    if (cursor === undefined || invoicesToShow(open).length >= MAX_COUNTED) break;
  }
  return sectionOf(invoicesToShow(open), cursor !== undefined);
}

async function webhooksOf(orgId: string, { events, webhookConfigs, clock }: AttentionDeps) {
  const now = clock.now();
  const range = { since: plus(now, -EVENTS_OF).toISOString(), until: plus(now, 1).toISOString() };
  const [config, failed] = await Promise.all([
    webhookConfigs.get(orgId),
    events.listFailedIds(orgId, range, MAX_COUNTED),
  ]);
  const found = failed.ids.map((id) => ({ id }));
  return {
    state: webhookState(config),
    failing_since: config?.failing_since ?? null,
    failed_events: sectionOf(found, failed.next !== undefined),
  };
}
