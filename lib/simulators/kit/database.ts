import { DatabaseSync } from 'node:sqlite';

/** `due` and `at` are in milliseconds of the service clock. */
const TABLES = `
CREATE TABLE IF NOT EXISTS objects (
  seq INTEGER PRIMARY KEY, provider TEXT NOT NULL, id TEXT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL,
  payment_id TEXT, parent TEXT, due INTEGER, body TEXT NOT NULL, notes TEXT NOT NULL, UNIQUE (id, provider)
);
CREATE INDEX IF NOT EXISTS objects_by_payment ON objects (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_by_parent ON objects (parent) WHERE parent IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_by_due ON objects (due) WHERE due IS NOT NULL;
CREATE TABLE IF NOT EXISTS idempotency (
  provider TEXT NOT NULL, account TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (key, account, provider)
);
CREATE TABLE IF NOT EXISTS calls (
  seq INTEGER PRIMARY KEY, provider TEXT NOT NULL, operation TEXT NOT NULL, payment_id TEXT, idempotency_key TEXT,
  status INTEGER NOT NULL, at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS calls_by_payment ON calls (payment_id) WHERE payment_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS money (
  provider TEXT, id TEXT, payment_id TEXT NOT NULL, amount INTEGER NOT NULL, refunded INTEGER NOT NULL,
  currency TEXT NOT NULL, PRIMARY KEY (provider, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS money_by_payment ON money (payment_id);
CREATE TABLE IF NOT EXISTS holds (
  provider TEXT, id TEXT, payment_id TEXT NOT NULL, amount INTEGER NOT NULL, captured INTEGER NOT NULL,
  released INTEGER NOT NULL, currency TEXT NOT NULL, PRIMARY KEY (provider, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS holds_by_payment ON holds (payment_id);
CREATE TABLE IF NOT EXISTS captures (
  provider TEXT, id TEXT, hold TEXT NOT NULL, PRIMARY KEY (provider, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS disputed (
  provider TEXT, id TEXT, payment_id TEXT NOT NULL, withheld INTEGER NOT NULL, PRIMARY KEY (provider, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS disputed_by_payment ON disputed (payment_id);
CREATE TABLE IF NOT EXISTS accounts (
  provider TEXT, account TEXT, name TEXT NOT NULL, public_id TEXT, secrets TEXT NOT NULL,
  PRIMARY KEY (provider, account)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhooks (
  seq INTEGER PRIMARY KEY, provider TEXT NOT NULL, account TEXT NOT NULL, body TEXT NOT NULL, tries INTEGER NOT NULL
);
`;

/** The simulators' own file. With NORMAL, only a power cut may lose the last writes; a killed process loses none. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;
     PRAGMA wal_autocheckpoint = 8000;`,
  );
  database.exec(TABLES);
  addQuery(database, 'webhooks');
  addQuery(database, 'accounts');
  return database;
}

/** Files of an earlier version lack this column. */
function addQuery(database: DatabaseSync, table: 'accounts' | 'webhooks'): void {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  if (!columns.some(({ name }) => name === 'query')) database.exec(`ALTER TABLE ${table} ADD COLUMN query TEXT`);
}

export type RunInTransaction = <T>(work: () => T) => T;

/** Commits all of the work or nothing. It is synchronous, so that no other call can interleave. */
export function transactionRunner(database: DatabaseSync): RunInTransaction {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}
