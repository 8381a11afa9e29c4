import type { EventAttempt, EventRecord, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';

/** Events created in [since, until), after the event `after`. */
export type FailedEventsQuery = {
  readonly since: string;
  readonly until: string;
  readonly type?: string | undefined;
  readonly after?: string | undefined;
};

/**
 * Oldest first. `next` is the `after` of the next page, where there may be one; a page may be empty and still have a
 * next.
 */
export type FailedEventsPage = { readonly ids: readonly string[]; readonly next: string | undefined };

export interface EventsPort {
  /**
   * The stored event: this one, or the one that an earlier try stored under its id. `dueAt`: when the sweeper looks at
   * it, if it is not settled by then.
   */
  record(event: NewEvent, dueAt?: Date): Promise<EventRecord>;
  get(orgId: string, id: string): Promise<EventRecord | undefined>;
  /** Those of these events that exist, in their order. */
  getMany(orgId: string, ids: readonly string[]): Promise<readonly EventRecord[]>;
  list(
    orgId: string,
    where: {
      readonly limit: number;
      readonly offset: number;
      readonly cursor?: string;
      readonly type?: string;
      readonly status?: string;
      readonly created_after?: string;
      readonly created_before?: string;
    },
  ): Promise<ListPage<EventRecord>>;
  /** Failed ones, up to this many, at most a hundred. */
  listFailedIds(orgId: string, where: FailedEventsQuery, limit: number): Promise<FailedEventsPage>;
  /** Pending ones without an attempt, up to this many; a page reads more events than it has. */
  listUnattemptedIds(orgId: string, where: FailedEventsQuery, limit: number): Promise<FailedEventsPage>;
  /**
   * Adds an attempt (none for `skipped`), unless one was added since `event` was read. `dueAt`: for waits that outlast
   * the queue.
   */
  recordAttempt(
    event: EventRecord,
    next: {
      readonly attempt?: EventAttempt;
      readonly status: EventRecord['status'];
      readonly nextAt: Date | null;
      readonly dueAt: Date | null;
    },
  ): Promise<boolean>;
  /** Logs a failed try without touching the planned ones or an ended event; on the same condition. */
  recordReplay(event: EventRecord, attempt: EventAttempt): Promise<boolean>;
  /**
   * Marks the event as sent by this page of a bulk replay: false if another one has sent it since `since`. The same page
   * may mark it again.
   */
  claimReplay(event: EventRecord, page: string, at: Date, since: Date): Promise<boolean>;
  /** Schedules the sweeper for an event that is still pending, with as many tries. */
  schedule(event: Pick<EventRecord, 'id' | 'org_id' | 'tries'>, dueAt: Date): Promise<void>;
  /**
   * Takes an entry of the due index: false if another sweep has. Not due again before `until`, unless it is settled
   * first.
   */
  claimDue(event: EventRecord, dueAt: string, until: Date): Promise<boolean>;
}
