import type { EventAttempt, EventRecord, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import { withAttempt } from '#shared/domain/webhooks/delivery.rules.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedPage } from '#shared/ports/events.port.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Cond, Item, TablePort } from '#shared/ports/table.port.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { eventItem, toEvent } from '#shared/store/repos/event.entity.ts';
import { listEvents } from '#shared/store/repos/event-list.ts';
import { failedEvents, failedKeys } from '#shared/store/repos/failed-events.ts';

export class EventRepo implements EventsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async record(event: NewEvent, dueAt?: Date): Promise<EventRecord> {
    const fresh: EventRecord = { ...event, tries: 0 };
    const due = dueAt && dueKeys(event.id, dueAt.toISOString());
    const written = await this.#table.put(
      { ...eventItem(fresh), ...failedKeys(event, event.status), ...due },
      { absent: 'pk' },
    );
    return written.ok || !written.old ? fresh : toEvent(written.old);
  }

  async get(orgId: string, id: string): Promise<EventRecord | undefined> {
    const item = isId('event', id) ? await this.#table.get(keys.event(orgId, id), { consistent: true }) : undefined;
    return item && toEvent(item);
  }

  list(orgId: string, where: Parameters<EventsPort['list']>[1]): Promise<ListPage<EventRecord>> {
    return listEvents(this.#table, orgId, where);
  }

  failed(orgId: string, where: Parameters<EventsPort['failed']>[1], limit: number): Promise<FailedPage> {
    return failedEvents(this.#table, orgId, where, limit);
  }

  async settle(
    event: EventRecord,
    { attempt, status, ...next }: Parameters<EventsPort['settle']>[1],
  ): Promise<boolean> {
    const attempts = attempt ? withAttempt(event.attempts, attempt) : event.attempts;
    const tries = event.tries + (attempt ? 1 : 0);
    const due = next.dueAt && dueKeys(event.id, next.dueAt.toISOString());
    const failed = failedKeys(event, status);
    const set = {
      attempts: attempts as unknown as Item[],
      status,
      next_attempt_at: next.nextAt?.toISOString() ?? null,
      tries,
      ...due,
      ...failed,
    };
    const remove = ['due_pk', 'due_sk', 'status_pk', 'status_sk'].filter((name) => !Object.hasOwn(set, name));
    const written = await this.#table.update(keys.event(event.org_id, event.id), { set, remove }, asRead(event));
    return written.ok;
  }

  async noteReplay(event: EventRecord, attempt: EventAttempt): Promise<boolean> {
    const attempts = withAttempt(event.attempts, attempt) as unknown as Item[];
    const written = await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: { attempts }, add: { noted: 1 } },
      asRead(event),
    );
    return written.ok;
  }

  async arm(event: Parameters<EventsPort['arm']>[0], dueAt: Date): Promise<void> {
    const untouched: Cond = { all: [{ eq: ['tries', event.tries] }, { eq: ['status', 'pending'] }] };
    await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: dueKeys(event.id, dueAt.toISOString()) },
      untouched,
    );
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

/** No try was recorded since. */
const asRead = ({ tries, noted }: EventRecord): Cond => ({
  all: [{ eq: ['tries', tries] }, noted === undefined ? { absent: 'noted' } : { eq: ['noted', noted] }],
});

const dueKeys = (id: string, at: string) => ({ due_pk: indexKeys.due(id), due_sk: `${at}#${id}` });
