import type { EventRecord } from '#shared/domain/events.catalog.ts';
import { idFloor, isId } from '#shared/kernel/ids.ts';
import type { EventsPort, ListPage } from '#shared/ports/stores.port.ts';
import type { Item, Page, TablePort } from '#shared/ports/table.port.ts';
import { EVENT_SHARDS, eventPartition, indexKeys, keys, shards } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';

type Where = Parameters<EventsPort['list']>[1];

const MOST_LOOKED_AT = 2_000;

export class EventRepo implements EventsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async record(event: EventRecord): Promise<EventRecord> {
    const item = { ...(event as unknown as Item), ...keys.event(event.org_id, event.id), item_type: 'event', tries: 0 };
    const written = await this.#table.put(item, { absent: 'pk' });
    return written.ok || !written.old ? event : toEvent(written.old);
  }

  async get(orgId: string, id: string): Promise<EventRecord | undefined> {
    const item = isId('event', id) ? await this.#table.get(keys.event(orgId, id), { consistent: true }) : undefined;
    return item && toEvent(item);
  }

  async list(orgId: string, where: Where): Promise<ListPage<EventRecord>> {
    const before = where.cursor ?? (where.created_before && idFloor('event', new Date(where.created_before)));
    const floor = where.created_after ? idFloor('event', new Date(where.created_after)) : '';
    const chunk = Math.min(50, Math.ceil(where.limit / EVENT_SHARDS) + 2);
    const streams = shards(EVENT_SHARDS).map(
      (n): Stream<Item> =>
        (below, limit) =>
          this.#read(eventPartition(orgId, n), below, limit),
    );
    const page: EventRecord[] = [];
    let skip = where.offset;
    let looked = 0;
    let last: string | undefined;
    for await (const item of mergeNewest(streams, (i) => i.sk, before, chunk)) {
      if (item.sk < floor) break;
      const event = toEvent(item);
      if (page.length === where.limit) return { items: page, next: page.at(-1)?.id };
      looked += 1;
      last = item.sk;
      const hit = (where.type === undefined || event.type === where.type) && (where.status === undefined || event.status === where.status);
      if (hit && skip > 0) skip -= 1;
      else if (hit) page.push(event);
      if (looked >= MOST_LOOKED_AT + where.offset) return { items: page, next: last };
    }
    return { items: page, next: undefined };
  }

  #read(pk: string, below: string | undefined, limit: number): Promise<Page<Item>> {
    return this.#table.query({ pk, limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
  }

  async settle(event: EventRecord, next: Parameters<EventsPort['settle']>[1]): Promise<boolean> {
    const attempts = next.attempt ? [...event.attempts, next.attempt] : event.attempts;
    const nextAt = next.nextAt?.toISOString() ?? null;
    const due = next.dueAt ? dueKeys(event.id, next.dueAt.toISOString()) : undefined;
    const written = await this.#table.update(
      keys.event(event.org_id, event.id),
      {
        set: { attempts: attempts as unknown as Item[], status: next.status, next_attempt_at: nextAt, tries: attempts.length, ...due },
        ...(!due && { remove: ['due_pk', 'due_sk'] }),
      },
      { eq: ['tries', event.attempts.length] },
    );
    return written.ok;
  }

  async take(event: EventRecord, dueAt: string, until: Date): Promise<boolean> {
    const written = await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: dueKeys(event.id, until.toISOString()) },
      { eq: ['due_sk', dueKeys(event.id, dueAt).due_sk] },
    );
    return written.ok;
  }
}

const dueKeys = (id: string, at: string) => ({ due_pk: indexKeys.due(id), due_sk: `${at}#${id}` });

const toEvent = (item: Item): EventRecord => {
  const { id, org_id, type, created_at, data, status, attempts, next_attempt_at } = item as unknown as EventRecord;
  return { id, org_id, type, created_at, data, status, attempts, next_attempt_at };
};
