import { eventEntry, runEntry } from '#functions/payment-timeline/delivery-entries.rules.ts';
import { moneyEntries } from '#functions/payment-timeline/money-entries.rules.ts';
import { paymentEntries } from '#functions/payment-timeline/payment-entries.rules.ts';
import type { TimelineEntry } from '#functions/payment-timeline/timeline.schema.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { eventIdsOf } from '#shared/domain/payments/payment-history.rules.ts';
import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { executionId } from '#shared/domain/workflows/execution.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type TimelineDeps = Pick<Deps, 'payments' | 'disputes' | 'events' | 'executions' | 'workflows'>;

/** A payment with more disputes than this has a list of its own for them. */
const MAX_DISPUTES = 20;
/** The newest: a payment may have thousands of refunds, and a response of a function has at most 6 MB. */
const MAX_ENTRIES = 1_000;
/** Each is read by itself. */
const MAX_RUNS = 40;

/** Reads the payment's own records by their keys, and its disputes by one index query: no list of all payments. */
export async function getTimeline({ id }: { readonly id: string }, caller: Caller, deps: TimelineDeps) {
  const { orgId, scopes } = caller;
  const payment = orNotFound(await deps.payments.get(orgId, id), 'There is no such payment.');
  const hidden = NEEDED.filter((scope) => !scopes.includes(scope));
  const [disputes, { events, all }] = await Promise.all([
    deps.disputes.list(orgId, { payment_id: id, limit: MAX_DISPUTES, offset: 0 }),
    readEvents(payment, deps),
  ]);
  const { runs, allRuns } = hidden.includes('workflows:read') ? NO_RUNS : await readRuns(events, orgId, deps);
  const entries = [
    ...paymentEntries(payment),
    ...moneyEntries(payment, disputes.items),
    ...(hidden.includes('webhooks:read') ? [] : events.map(eventEntry)),
    ...runs.map(runEntry),
  ];
  const shown = inOrder(entries).slice(-MAX_ENTRIES);
  const complete = all && allRuns && disputes.next === undefined && shown.length === entries.length;
  return { payment_id: id, complete, hidden, entries: shown };
}

const NO_RUNS = { runs: [], allRuns: true };

/** Entries that need more than the right to read payments. */
const NEEDED = ['webhooks:read', 'workflows:read'] as const satisfies readonly Scope[];

/** Those that wait to be published are not there yet. */
async function readEvents(payment: Payment, { events }: Pick<Deps, 'events'>) {
  const { announced, outbox, org_id } = payment;
  const found = await events.getMany(org_id, eventIdsOf(payment));
  return { events: found, all: found.length >= announced - outbox.length };
}

/** The runs that its events have started: their ids derive from the event, and the rule or connection behind it. */
async function readRuns(
  events: readonly EventRecord[],
  orgId: string,
  { executions, workflows }: Pick<Deps, 'executions' | 'workflows'>,
): Promise<{ readonly runs: readonly Execution[]; readonly allRuns: boolean }> {
  const rules = await workflows.rules(orgId);
  const ids = events.flatMap((event) => {
    const { type, through } = event;
    const causes = [
      ...rules.filter((rule) => rule.event === type).map((rule) => ({ rule_id: rule.id })),
      ...(through ? [{ connection_id: through.connection_id }] : []),
    ];
    return causes.map((cause) => executionId(event, cause, new Date(event.created_at)));
  });
  const found = await Promise.all(ids.slice(-MAX_RUNS).map((id) => executions.get(orgId, id)));
  return { runs: found.filter((execution) => execution !== undefined), allRuns: ids.length <= MAX_RUNS };
}

/** What happens in the same millisecond stays in the order in which the entries were made. */
const inOrder = (entries: readonly TimelineEntry[]): readonly TimelineEntry[] =>
  entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
