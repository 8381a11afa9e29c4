import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type IdKind, isId } from '#shared/kernel/ids.ts';
import { currentWork } from '#shared/kernel/operation.ts';
import { noPause, pause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { AssertFits } from '#shared/store/item-size-guard.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { Item, Key, TablePort, Write } from '#shared/store/table/table.port.ts';

/**
 * Each conflict means that another writer succeeded. More conflicts in a row than writers can come within the time of a
 * request show that the decision itself is wrong.
 */
const MAX_ATTEMPTS = 300;

/**
 * Conflicts without a pause. The failed write returns the newer record, so there is nothing to wait for, unless many
 * writers collide.
 */
const ATTEMPTS_WITHOUT_PAUSE = 5;
const MAX_PAUSE_MS = 40;

function pauseIfManyCollide(): (ms: number) => Promise<unknown> {
  let attempts = 0;
  return (ms) => {
    attempts += 1;
    return attempts < ATTEMPTS_WITHOUT_PAUSE ? noPause() : pause(Math.min(ms, MAX_PAUSE_MS));
  };
}

type Versioned = { readonly id: string; readonly org_id: string; readonly version: number };

/** How records of a type are stored. */
export type Entity<T> = {
  readonly toItem: (record: T) => Item;
  readonly fromItem: (item: Item) => T;
  /** For records with an outbox. */
  readonly assertFits?: AssertFits<T>;
};

export type VersionedEntity<T> = Entity<T> & {
  /** For error messages. */
  readonly name: string;
  readonly idKind: IdKind;
  readonly key: (id: string) => Key;
};

export type SaveResult<T> =
  | { readonly ok: true; readonly record: T }
  /** `stored`: the newer record, unless it was deleted. */
  | { readonly ok: false; readonly stored: T | undefined };

type Traced = { readonly outbox?: readonly EventStub[]; readonly trace?: string };

/** More events than usual wait for the relay: their names must not use up the space of what has to be written. */
const MAX_NAMED_EVENTS = 10;

/**
 * A record with events names the work that writes it, and so do its new events. Events that still wait name the work
 * that wrote them, unless they are many. Called with each write of such a record.
 */
export function namingWork<T>(before: T | undefined, after: T): T {
  const [record, former] = [after as Traced, before as Traced | undefined];
  const trace = currentWork.getStore()?.trace;
  if (!record.outbox || trace === former?.trace) return after;
  const { outbox, trace: _, ...rest } = record;
  const waiting = new Set(former?.outbox?.slice(-MAX_NAMED_EVENTS).map(({ id }) => id));
  const named = outbox.map((stub) =>
    former?.trace === undefined || stub.trace !== undefined || !waiting.has(stub.id)
      ? stub
      : { ...stub, trace: former.trace },
  );
  return { ...rest, outbox: named, ...(trace !== undefined && { trace }) } as T;
}

/** The write of a record as a part of a transaction, on the version that was read. Without `before` it is new. */
export function writeOf<T extends { readonly version: number }>(
  { before, after }: { readonly before?: T; readonly after: T },
  { toItem, assertFits }: Pick<Entity<T>, 'toItem' | 'assertFits'>,
): Write {
  const named = namingWork(before, after);
  const item = toItem(before ? { ...named, version: before.version + 1 } : named);
  assertFits?.(item, after, before);
  return { put: item, condition: before ? { eq: ['version', before.version] } : { absent: 'pk' } };
}

/** Stores a new record. Returns it, or the one that an earlier try of the same request stored in its place. */
export async function createOnce<T>(
  table: TablePort,
  { toItem, fromItem, assertFits }: Entity<T>,
  record: T,
): Promise<T> {
  const item = toItem(namingWork(undefined, record));
  assertFits?.(item, record, undefined);
  const written = await putWithNonce(table, item, { absent: 'pk' });
  return written.ok || !written.old ? record : fromItem(written.old);
}

/** A writer that never ends its turn delays the next ones no longer than this. */
const MAX_TURN_MS = 1_000;

/**
 * Writers of one process that have lost a race for the same record try again one after the other. Otherwise each would
 * lose to all others.
 */
class RetryTurns {
  readonly #last = new Map<string, Promise<void>>();
  async next(id: string): Promise<() => void> {
    const previous = this.#last.get(id);
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(id, turn);
    if (previous) await Promise.race([previous, pause(MAX_TURN_MS)]);
    return () => {
      end();
      if (this.#last.get(id) === turn) this.#last.delete(id);
    };
  }
}

/** Records with a version of their own, one item each, found by id. */
export abstract class VersionedRepo<T extends Versioned> {
  protected readonly table: TablePort;
  protected readonly entity: VersionedEntity<T>;
  readonly #turns = new RetryTurns();

  protected constructor(table: TablePort, entity: VersionedEntity<T>) {
    this.table = table;
    this.entity = entity;
  }

  create(record: T): Promise<T> {
    return createOnce(this.table, this.entity, record);
  }

  async get(orgId: string, id: string): Promise<T | undefined> {
    const record = await this.byId(id);
    return record?.org_id === orgId ? record : undefined;
  }

  async byId(id: string): Promise<T | undefined> {
    const record = await this.read(id);
    return record?.id === id ? record : undefined;
  }

  /**
   * Decides on the record, and writes if its version is unchanged. After a conflict it decides again, on the newer
   * record. `decided`: the result of `decide` for this record, if the caller has it already.
   */
  async change(record: T, decide: (record: T) => T | undefined, decided = decide(record)): Promise<T> {
    if (!decided) return record;
    const first = await this.save(record, decided);
    return first.ok ? first.record : this.#changeStored(record.id, first.stored, decide);
  }

  /** The record with its parts that are stored in other items. */
  protected withAllParts(record: T): T | Promise<T> {
    return record;
  }

  async #changeStored(id: string, stored: T | undefined, decide: (record: T) => T | undefined): Promise<T> {
    const endTurn = await this.#turns.next(id);
    return this.#decideAgain(id, stored, decide).finally(endTurn);
  }

  #decideAgain(id: string, stored: T | undefined, decide: (record: T) => T | undefined): Promise<T> {
    const { name } = this.entity;
    let current = stored;
    const attempt = async (): Promise<T | undefined> => {
      if (!current) throw new AppError('not_found', `No ${name} ${id}.`);
      current = await this.withAllParts(current);
      const after = decide(current);
      if (!after) return current;
      const saved = await this.save(current, after);
      if (!saved.ok) current = saved.stored;
      return saved.ok ? saved.record : undefined;
    };
    return retryOnConflict(attempt, `Others keep changing this ${name}. Try again.`, {
      attempts: MAX_ATTEMPTS,
      wait: pauseIfManyCollide(),
    });
  }

  /** The record with the random bits of this id. Its time may differ: see `PaymentsPort.byOperationId`. */
  protected async read(id: string, { consistent = true } = {}): Promise<T | undefined> {
    const { idKind, key, fromItem } = this.entity;
    if (!isId(idKind, id)) return undefined;
    const item = await this.table.get(key(id), { consistent });
    return item && fromItem(item);
  }

  /** State and events in one conditional write; the relay reads the events from the change feed. */
  protected async save(before: T, after: T): Promise<SaveResult<T>> {
    const { assertFits, toItem, fromItem } = this.entity;
    const version = before.version + 1;
    const item = toItem({ ...namingWork(before, after), version });
    assertFits?.(item, after, before);
    const prepared = await this.prepare(before, after);
    const toPut = prepared === after ? item : toItem({ ...namingWork(before, prepared), version });
    const written = await putWithNonce(this.table, toPut, { eq: ['version', before.version] });
    if (written.ok) return { ok: true, record: fromItem(written.item) };
    return { ok: false, stored: written.old && fromItem(written.old) };
  }

  /** Writes what must exist before the record does, and returns what to store. */
  protected async prepare(_before: T, after: T): Promise<T> {
    return after;
  }
}
