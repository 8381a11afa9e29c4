import { request as ask } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { LocalHostOptions } from '#lib/local/local-host.ts';
import type { Item } from '#shared/store/table/table.port.ts';
import { entriesOf, mirroredTable } from '#test/http/mirrored-table.support.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { hostStore } from '#test/support/host-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** A host with a folder of its own, whose files the test reads directly. */
export type WatchedHost = TestHost & {
  readonly folder: string;
  /**
   * Everything that is stored once the host is at rest, one line each: items, index entries, messages. Counters of rate
   * limits and the log of failed requests are omitted. Without the rest, what was read before and after a request would differ by what consumers of the
   * stream wrote in between.
   */
  readonly stored: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** Rate limit windows, and the last use of credentials. */
const COUNTED = /^([prwt]\d+|last_used_at|seen_at)$/;
const COUNTING = /^(KEY|SESS)#/;

const ROWS = `
  SELECT 'item ' || pk || ' ' || sk AS what, json FROM items
    WHERE pk NOT LIKE 'ADDR#%' AND pk NOT LIKE 'FAIL%#%'
  UNION ALL SELECT 'entry ' || name || ' ' || part || ' ' || at, pk || ' ' || sk FROM entries`;
const MESSAGES = "SELECT 'message ' || queue || ' ' || id AS what, body AS json FROM queue_message";

export async function startWatchedHost(options: Partial<LocalHostOptions> = {}): Promise<WatchedHost> {
  const { path, remove } = await temporaryFolder();
  const folder = path('');
  const { store } = hostStore();
  const mirror = mirroredTable(path('table.jsonl'));
  const host = await startHost({
    ...options,
    dataDir: folder,
    ...(store === 'dynamodb' && { wrapTable: mirror.through }),
  });
  const stage = options.stage ?? 'sandbox';
  const database = new DatabaseSync(path(`${store === 'sqlite' ? stage : `${stage}-${store}`}.sqlite`), {
    readOnly: true,
  });
  const lines = (sql: string) => {
    const rows = database.prepare(sql);
    return () =>
      rows
        .all()
        .map(
          ({ what, json }) =>
            `${what} ${COUNTING.test(String(what).slice('item '.length)) ? uncounted(String(json)) : json}`,
        );
  };
  const messages = lines(MESSAGES);
  const inTable = store === 'sqlite' ? lines(ROWS) : () => mirror.items().flatMap(linesOf);
  return {
    ...host,
    folder,
    stored: async () => {
      await host.drain();
      return [...inTable(), ...messages()].toSorted();
    },
    close: async () => {
      database.close();
      await host.close();
      await remove();
    },
  };
}

function linesOf(item: Item): readonly string[] {
  if (/^(ADDR|FAILED|FAILCOUNT)#/.test(item.pk)) return [];
  // DynamoDB returns attributes in any order.
  const json = JSON.stringify(Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => a.localeCompare(b))));
  return [`item ${item.pk} ${item.sk} ${COUNTING.test(item.pk) ? uncounted(json) : json}`, ...entriesOf(item)];
}

const uncounted = (json: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => !COUNTED.test(name))));

type RawRequest = {
  readonly method: string;
  readonly url: string;
  /** Sent in this order, and repeated if they are repeated here. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
};

/** A request with exactly these headers and an unnormalized path. */
export function rawRequest({ method, url, headers, body }: RawRequest): Promise<ApiResponse> {
  const { hostname, port, host, origin } = new URL(url);
  const length: [string, string][] = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const all = [['Host', host] as const, ...headers, ...length].flat();
  return new Promise((resolve, reject) => {
    const outgoing = ask(
      { hostname, port, method, path: url.slice(origin.length), headers: all, agent: false },
      async (incoming) => {
        const text = Buffer.concat(await incoming.toArray()).toString();
        const received = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve({ status: incoming.statusCode ?? 0, headers: new Headers(received), body: parsed(text), text });
      },
    );
    outgoing.on('error', reject).end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
