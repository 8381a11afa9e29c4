import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Compiles each SQL text once: that takes five times as long as most of them run. What changes between runs is bound, so the texts are few. */
export class KeptStatements extends DatabaseSync {
  readonly #statements = new Map<string, StatementSync>();

  override prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? super.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
