import { causeOf, causesOf } from '#functions/payment-timeline/causes.rules.ts';
import { callbackEntries, eventEntry, runEntry } from '#functions/payment-timeline/delivery-entries.rules.ts';
import { moneyEntries } from '#functions/payment-timeline/money-entries.rules.ts';
import { paymentEntries } from '#functions/payment-timeline/payment-entries.rules.ts';
import type { Cause, TimelineEntry } from '#functions/payment-timeline/timeline.schema.ts';
import { eventId } from '#shared/domain/payments/outbox.rules.ts';
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
  const [disputes, own] = await Promise.all([
    deps.disputes.list(orgId, { payment_id: id, limit: MAX_DISPUTES, offset: 0 }),
    readEvents([payment], deps),
  ]);
  const theirs = await readEvents(disputes.items, deps);
  const [events, all] = [[...own.events, ...theirs.events], own.all && theirs.all];
  const { runs, allRuns } = hidden.includes('workflows:read') ? NO_RUNS : await readRuns(events, orgId, deps);
  const causes = causesOf(events, payment);
  const entries = [
    ...paymentEntries(payment, creatorIn(payment, own.events)),
    ...moneyEntries(payment, disputes.items),
    ...events.flatMap((event) => callbackEntries(event, payment)),
    ...(hidden.includes('webhooks:read') ? [] : events.map((event) => eventEntry(event, causes.get(event.id) ?? null))),
    ...runs.map(runEntry),
  ];
  const shown = inOrder(entries).slice(-MAX_ENTRIES);
  const complete = all && allRuns && disputes.next === undefined && shown.length === entries.length;
  return { payment_id: id, complete, hidden, entries: shown };
}

const NO_RUNS = { runs: [], allRuns: true };

/** Entries that need more than the right to read payments. */
const NEEDED = ['webhooks:read', 'workflows:read'] as const satisfies readonly Scope[];

type EventOwner = Parameters<typeof eventIdsOf>[0] & Pick<Payment, 'org_id'>;

/** Those that wait to be published are not there yet. */
async function readEvents(owners: readonly EventOwner[], { events }: Pick<Deps, 'events'>) {
  const [first] = owners;
  if (!first) return { events: [], all: true };
  const found = await events.getMany(first.org_id, owners.flatMap(eventIdsOf));
  const published = owners.reduce((sum, { announced, outbox }) => sum + announced - outbox.length, 0);
  return { events: found, all: found.length >= published };
}

/** Who created the payment: its first event says so, also while it waits to be published. */
function creatorIn({ id, created_at, outbox, trace }: Payment, events: readonly EventRecord[]): Cause | null {
  const firstId = eventId(id, 0, new Date(created_at));
  const [published, waiting] = [events, outbox].map((all) => all.find((event) => event.id === firstId));
  if (published) return causeOf(published.trace);
  return waiting ? causeOf(waiting.trace ?? trace) : null;
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
