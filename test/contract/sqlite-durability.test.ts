import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteFeed } from '#shared/store/sqlite/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const WRITER = fileURLToPath(new URL('../support/durable-writer.ts', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/**
 * Kills the writer without warning once it has acknowledged so many writes; everything acknowledged until then
 * counts.
 */
async function acknowledgedBeforeDeath(round: string, enough: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, folder.path('x.db'), round], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > enough) writer.kill('SIGKILL');
  });
  await once(writer, 'close');
  return said.split('\n').slice(0, -1);
}

describe('a process that is killed while it writes', () => {
  it.each(['first', 'second', 'third'])('has lost no acknowledged write in its %s run', async (round) => {
    const acknowledged = await acknowledgedBeforeDeath(round, 300);
    const database = openDatabase(folder.path('x.db'));
    const table = new SqliteTable({ database });
    const feed = new SqliteFeed({ database, consumers: ['relay'] });
    const found = new Map((await table.query({ pk: round, limit: 100_000 })).items.map((item) => [item.sk, item.text]));
    const due = new Set((await table.entries('due', { pk: round, limit: 100_000 })).items.map(({ at }) => at));
    const fed = new Set(feed.read('relay', 100_000).flatMap(({ key }) => (key.pk === round ? [key.sk] : [])));
    database.close();

    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(acknowledged.filter((sk) => found.get(sk) !== sk.repeat(100))).toEqual([]);
    expect([due, fed]).toEqual([new Set(found.keys()), new Set(found.keys())]);
  });
});
