import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { MINUTE, systemClock } from '#shared/kernel/clock.ts';
import { invalidCall } from '#shared/store/table/item.rules.ts';
import type { Write } from '#shared/store/table/table.port.ts';
import { TOKEN_LIFETIME_MINUTES } from '#shared/store/table/write.rules.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS tokens_by_age ON tokens (at);`;

/** Recent transactions by idempotency token. A failed one is not stored, so a repeat runs it again. */
export function sqliteTokens(db: DatabaseSync) {
  db.exec(SCHEMA);
  const deleteExpired = db.prepare('DELETE FROM tokens WHERE at < ?');
  const select = db.prepare('SELECT digest FROM tokens WHERE token = ?');
  const insert = db.prepare('INSERT INTO tokens (token, digest, at) VALUES (?, ?, ?)');
  // Real time, not the clock of the service, which may be advanced: a repeat of a call comes within real minutes.
  const now = () => systemClock.now().getTime();

  return {
    seen(token: string, writes: readonly Write[]): boolean {
      deleteExpired.run(now() - TOKEN_LIFETIME_MINUTES * MINUTE);
      const known = select.get(token)?.digest;
      if (known !== undefined && known !== digestOf(writes))
        throw invalidCall(`Token ${token} belongs to another transaction.`);
      return known !== undefined;
    },
    remember(token: string, writes: readonly Write[]): void {
      insert.run(token, digestOf(writes), now());
    },
  };
}

const digestOf = (writes: readonly Write[]): string =>
  createHash('sha256').update(JSON.stringify(writes)).digest('base64url');
