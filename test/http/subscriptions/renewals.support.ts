import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LocalHostOptions } from '#lib/local/local-host.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';

/** A request to a provider as it was sent, with its form or JSON body parsed. */
export type Sent = { readonly method: string; readonly path: string; readonly body: Body };

export type TappedHost = TestHost & { readonly sent: readonly Sent[] };

/** A host whose calls to these providers are recorded on their way to the simulators. */
export async function startTappedHost(
  providers: readonly Provider[] = ['stripe'],
  options: Partial<LocalHostOptions> = {},
): Promise<TappedHost> {
  const sent: Sent[] = [];
  let simulators = '';
  const tap = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const bytes = Buffer.concat(await request.toArray());
    sent.push({ method, path: url.replace(/^\/\w+/, ''), body: bodyOf(bytes.toString(), headers['content-type']) });
    const onward = http.request(simulators + url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(bytes);
  });
  await new Promise<void>((ready) => tap.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${(tap.address() as AddressInfo).port}`;
  const host = await startHost({
    pspUrls: Object.fromEntries(providers.map((provider) => [provider, `${base}/${provider}`])),
    ...options,
  });
  simulators = host.info.simulators;
  return {
    ...host,
    sent,
    close: async () => {
      await host.close();
      tap.closeAllConnections();
      tap.close();
    },
  };
}

function bodyOf(text: string, type = ''): Body {
  if (text === '') return undefined;
  return type.includes('json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

type Gate = {
  readonly through: (table: TablePort) => TablePort;
  /** Blocks the write that starts a period from now on; resolves when one is blocked. */
  readonly shut: () => Promise<void>;
  readonly open: () => void;
};

const beginsPeriod = (writes: readonly Write[]): boolean =>
  writes.some((write) => 'put' in write && write.put.pk.startsWith('SUB#') && 'condition' in write);

/** Blocks workers that are about to store the start of a period. */
export function aGate(): Gate {
  let wait: Promise<void> | undefined;
  let open = () => {};
  let reached = () => {};
  return {
    through: (table) =>
      changed(table, {
        transact: async (writes, token) => {
          if (wait && writes.length === 3 && beginsPeriod(writes)) {
            reached();
            await wait;
          }
          return table.transact(writes, token);
        },
      }),
    shut: () => {
      const gate = Promise.withResolvers<void>();
      const arrival = Promise.withResolvers<void>();
      [wait, open, reached] = [gate.promise, gate.resolve, arrival.resolve];
      onTestFinished(open);
      return arrival.promise;
    },
    open: () => {
      wait = undefined;
      open();
    },
  };
}
