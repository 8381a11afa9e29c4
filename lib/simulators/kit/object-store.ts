import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** `body` is what the PSP shows of the object, `notes` is internal. `parent` links a refund to its payment. */
export type StoredObject<Body = unknown, Notes = unknown> = {
  readonly id: string;
  readonly account: string;
  readonly kind: string;
  readonly paymentId: string | null;
  readonly parent: string | null;
  /** When the object changes by time alone (expiry), in milliseconds of the service clock. */
  readonly due: number | null;
  readonly body: Body;
  readonly notes: Notes;
};

type Row = Record<string, SQLOutputValue>;

const orNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

/** Each provider knows the types it stored under a kind. JSON keeps them. */
function fromRow<B, N>(row: Row): StoredObject<B, N> {
  return {
    id: String(row.id),
    account: String(row.account),
    kind: String(row.kind),
    paymentId: orNull(row.payment_id),
    parent: orNull(row.parent),
    due: typeof row.due === 'number' ? row.due : null,
    body: JSON.parse(String(row.body)),
    notes: JSON.parse(String(row.notes)),
  };
}

/** The objects of one provider. */
export class ObjectStore {
  readonly #provider: Provider;
  readonly #put;
  readonly #byId;
  readonly #byPayment;
  readonly #byParent;
  readonly #byDue;
  readonly #byKind;
  constructor(database: DatabaseSync, provider: Provider) {
    this.#provider = provider;
    this.#put = database.prepare(
      `INSERT INTO objects (provider, id, account, kind, payment_id, parent, due, body, notes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id, provider) DO UPDATE SET payment_id = excluded.payment_id, parent = excluded.parent,
         due = excluded.due, body = excluded.body, notes = excluded.notes`,
    );
    this.#byId = database.prepare('SELECT * FROM objects WHERE provider = ? AND id = ?');
    this.#byPayment = database.prepare('SELECT * FROM objects WHERE payment_id = ? AND provider = ? ORDER BY seq');
    this.#byParent = database.prepare('SELECT * FROM objects WHERE parent = ? AND provider = ? ORDER BY seq');
    this.#byDue = database.prepare('SELECT * FROM objects WHERE due <= ? AND provider = ? ORDER BY due LIMIT 100');
    this.#byKind = database.prepare(
      'SELECT * FROM objects WHERE account = ? AND kind = ? AND provider = ? ORDER BY seq',
    );
  }
  put<T extends StoredObject>(object: T): T {
    const { id, account, kind, paymentId, parent, due, body, notes } = object;
    this.#put.run(
      this.#provider,
      id,
      account,
      kind,
      paymentId,
      parent,
      due,
      JSON.stringify(body),
      JSON.stringify(notes),
    );
    return object;
  }
  get<B, N>(id: string): StoredObject<B, N> | undefined {
    const row = this.#byId.get(this.#provider, id);
    return row && fromRow(row);
  }
  /** The object with this id, if it is of this kind. */
  find<T extends StoredObject>(
    id: string | null | undefined,
    is: (stored: StoredObject) => stored is T,
  ): T | undefined {
    const stored = this.get(id ?? '');
    return stored && is(stored) ? stored : undefined;
  }
  change<B extends object, N extends object>(
    stored: StoredObject<B, N>,
    body: Partial<B>,
    notes: Partial<N> = {},
  ): StoredObject<B, N> {
    return this.put({ ...stored, body: { ...stored.body, ...body }, notes: { ...stored.notes, ...notes } });
  }
  /** Oldest first. */
  ofPayment<B, N>(paymentId: string): readonly StoredObject<B, N>[] {
    return this.#byPayment.all(paymentId, this.#provider).map((row) => fromRow<B, N>(row));
  }
  /** Oldest first. */
  childrenOf<B, N>(id: string): readonly StoredObject<B, N>[] {
    return this.#byParent.all(id, this.#provider).map((row) => fromRow<B, N>(row));
  }
  /** All objects of one kind that an account has, oldest first: for the lists of an API. */
  ofKind<B, N>(account: string, kind: string): readonly StoredObject<B, N>[] {
    return this.#byKind.all(account, kind, this.#provider).map((row) => fromRow<B, N>(row));
  }
  dueAt(at: Date): readonly StoredObject[] {
    return this.#byDue.all(at.getTime(), this.#provider).map((row) => fromRow(row));
  }
}
