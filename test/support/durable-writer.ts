import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';

/** Writes until it is killed, and prints what was acknowledged. Runs as a process of its own. */
const [path = '', round = ''] = process.argv.slice(2);
const table = new SqliteTable({ database: openDatabase(path) });

async function writeOn(lane: number): Promise<void> {
  for (let n = 0; ; n++) {
    const sk = `${lane}-${n}`;
    const written = await table.put(
      { pk: round, sk, due_pk: round, due_sk: sk, text: sk.repeat(100) },
      { absent: 'pk' },
    );
    if (written.ok) process.stdout.write(`${sk}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, lane) => writeOn(lane)));
