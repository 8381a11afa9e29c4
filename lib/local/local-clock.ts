import { type Clock, plus, systemClock } from '#shared/kernel/clock.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

const TABLE =
  'CREATE TABLE IF NOT EXISTS local_clock (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), offset_ms ' +
  'INTEGER NOT NULL) STRICT';
const SAVE_OFFSET = 'INSERT INTO local_clock VALUES (1, ?) ON CONFLICT DO UPDATE SET offset_ms = excluded.offset_ms';

/**
 * The service's time: real time with a persistent offset, or stopped at an instant while the host works off what is due
 * then. It never goes back, not even after a crash.
 */
export class LocalClock implements Clock {
  readonly #database: Pick<SqliteDatabase, 'run'>;
  readonly #real: Clock;
  readonly #listeners: (() => void)[] = [];
  #offset: number;
  #standing: Date | undefined;

  constructor(database: Pick<SqliteDatabase, 'run' | 'setUp'>, real: Clock = systemClock) {
    this.#database = database;
    this.#real = real;
    this.#offset = database.setUp((db) => {
      db.exec(TABLE);
      return Number(db.prepare('SELECT offset_ms FROM local_clock').get()?.offset_ms ?? 0);
    });
  }

  now(): Date {
    return this.#standing ? new Date(this.#standing) : plus(this.#real.now(), this.#offset);
  }

  /** What the time is made from, for clocks on other threads. */
  get state(): { readonly offsetMs: number; readonly standing: Date | undefined } {
    return { offsetMs: this.#offset, standing: this.#standing };
  }

  /** Stops the clock at this instant, or where it is if that is later. */
  async stand(at: Date): Promise<void> {
    // Stopped while the file is written: otherwise time that passes meanwhile would be taken back.
    const from = this.now();
    this.#standing = from;
    const instant = at > from ? at : from;
    await this.#keep(instant);
    this.#standing = instant;
    this.#tell();
  }

  /** Runs on from where it stopped. */
  async run(): Promise<void> {
    if (!this.#standing) return;
    this.#offset = await this.#keep(this.#standing);
    this.#standing = undefined;
    this.#tell();
  }

  /** Called when timers by this clock must be set anew. */
  onJump(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async #keep(instant: Date): Promise<number> {
    const offset = instant.getTime() - this.#real.now().getTime();
    await this.#database.run((db) => {
      db.prepare(SAVE_OFFSET).run(offset);
    });
    return offset;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
