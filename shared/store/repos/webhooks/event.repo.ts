import { LIST_SHARD_COUNTS } from '#shared/domain/accounts/capacity.rules.ts';
import type { EventAttempt, EventRecord, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { withAttempt } from '#shared/domain/webhooks/delivery.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedEventsPage, FailedEventsQuery } from '#shared/ports/events.port.ts';
import { dueEntry, EVENT_SHARDS, keys } from '#shared/store/keys.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import { getAll } from '#shared/store/read-all.ts';
import { eventItem, failedEntry, toEvent } from '#shared/store/repos/webhooks/event.entity.ts';
import {
  type EventsQuery,
  failedEventIds,
  listEvents,
  unattemptedEventIds,
} from '#shared/store/repos/webhooks/event-lists.ts';
import type { Condition, Item, Key, TablePort } from '#shared/store/table/table.port.ts';

export class EventRepo implements EventsPort {
  readonly #table: TablePort;
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    this.#table = table;
    this.#lists = new ListShards(table, clock);
  }

  async record(event: NewEvent, dueAt?: Date): Promise<EventRecord> {
    const newEvent: EventRecord = { ...event, tries: 0 };
    const due = dueEntry(dueAt?.toISOString(), event.id);
    const written = await this.#table.put(
      { ...eventItem(newEvent), ...failedEntry(event, event.status), ...due },
      { absent: 'pk' },
    );
    return written.ok || !written.old ? newEvent : toEvent(written.old);
  }

  async get(orgId: string, id: string): Promise<EventRecord | undefined> {
    const [item] = isId('event', id) ? await this.#items(orgId, [id]) : [];
    return item && toEvent(item);
  }

  async getMany(orgId: string, ids: readonly string[]): Promise<readonly EventRecord[]> {
    const items = await this.#items(orgId, ids);
    return items.flatMap((item) => (item ? [toEvent(item)] : []));
  }

  /**
   * An id does not say with how many partitions its event was stored: most organizations have had only one number, so
   * that one is tried first.
   */
  async #items(orgId: string, ids: readonly string[]): Promise<readonly (Item | undefined)[]> {
    const found = new Map<string, Item>();
    for (const count of LIST_SHARD_COUNTS) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0 || (count > EVENT_SHARDS && count > (await this.#lists.all(orgId)))) break;
      for (const item of await this.#read(missing.map((id) => keys.event(orgId, id, count))))
        if (item) found.set(item.sk, item);
    }
    return ids.map((id) => found.get(id));
  }

  async #read(locations: readonly Key[]): Promise<readonly (Item | undefined)[]> {
    const [only, ...others] = locations;
    if (only && others.length === 0) return [await this.#table.get(only, { consistent: true })];
    return getAll(this.#table, locations);
  }

  async list(orgId: string, query: EventsQuery): Promise<ListPage<EventRecord>> {
    return listEvents(this.#table, orgId, query, await this.#lists.all(orgId));
  }

  async listFailedIds(orgId: string, query: FailedEventsQuery, limit: number): Promise<FailedEventsPage> {
    const shards = await this.#lists.all(orgId);
    const { ids, next } = await failedEventIds(this.#table, orgId, { ...query, shards }, limit);
    const { type } = query;
    if (type === undefined) return { ids, next };
    const items = await this.#items(orgId, ids);
    return { ids: ids.filter((_, n) => items[n]?.type === type), next };
  }

  async listUnattemptedIds(orgId: string, query: FailedEventsQuery, limit: number): Promise<FailedEventsPage> {
    return unattemptedEventIds(this.#table, orgId, { ...query, shards: await this.#lists.all(orgId) }, limit);
  }

  async recordAttempt(
    event: EventRecord,
    { attempt, status, ...next }: Parameters<EventsPort['recordAttempt']>[1],
  ): Promise<boolean> {
    const attempts = attempt ? withAttempt(event.attempts, attempt) : event.attempts;
    const tries = event.tries + (attempt ? 1 : 0);
    const due = dueEntry(next.dueAt?.toISOString(), event.id);
    const failed = failedEntry(event, status);
    const set = {
      attempts: attempts as unknown as Item[],
      status,
      next_attempt_at: next.nextAt?.toISOString() ?? null,
      tries,
      ...due,
      ...failed,
    };
    const remove = ['due_pk', 'due_sk', 'status_pk', 'status_sk'].filter((name) => !Object.hasOwn(set, name));
    const written = await this.#table.update(keyOf(event), { set, remove }, unchanged(event));
    return written.ok;
  }

  async recordReplay(event: EventRecord, attempt: EventAttempt): Promise<boolean> {
    const attempts = withAttempt(event.attempts, attempt) as unknown as Item[];
    const written = await this.#table.update(keyOf(event), { set: { attempts }, add: { noted: 1 } }, unchanged(event));
    return written.ok;
  }

  async claimReplay(event: EventRecord, page: string, at: Date, since: Date): Promise<boolean> {
    const isFree: Condition = {
      any: [{ absent: 'replayed_at' }, { le: ['replayed_at', since.toISOString()] }, { eq: ['replayed_by', page] }],
    };
    const set = { replayed_at: at.toISOString(), replayed_by: page };
    return (await this.#table.update(keyOf(event), { set }, isFree)).ok;
  }

  async schedule({ org_id, id, tries }: Parameters<EventsPort['schedule']>[0], dueAt: Date): Promise<void> {
    const unattempted: Condition = { all: [{ eq: ['tries', tries] }, { eq: ['status', 'pending'] }] };
    const change = { set: dueEntry(dueAt.toISOString(), id) };
    for (const count of LIST_SHARD_COUNTS) {
      if (count > EVENT_SHARDS && count > (await this.#lists.all(org_id))) return;
      const written = await this.#table.update(keys.event(org_id, id, count), change, unattempted);
      if (written.ok || written.old) return;
    }
  }

  async claimDue(event: EventRecord, dueAt: string, until: Date): Promise<boolean> {
    const written = await this.#table.update(
      keyOf(event),
      { set: dueEntry(until.toISOString(), event.id) },
      { eq: ['due_sk', dueEntry(dueAt, event.id).due_sk ?? null] },
    );
    return written.ok;
  }
}

const keyOf = ({ org_id, id, list_shards }: EventRecord): Key => keys.event(org_id, id, list_shards);

/** Holds if no attempt was recorded since the event was read, and it did not end without one. */
const unchanged = ({ tries, noted, status }: EventRecord): Condition => ({
  all: [
    { eq: ['tries', tries] },
    { eq: ['status', status] },
    noted === undefined ? { absent: 'noted' } : { eq: ['noted', noted] },
  ],
});
