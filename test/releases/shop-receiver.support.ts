import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Body } from '#test/support/host.ts';

export type ReceivedCall = { readonly headers: IncomingHttpHeaders; readonly text: string; readonly body: Body };

export type ShopReceiver = {
  readonly url: string;
  /** Takes nothing. */
  isFull: boolean;
  /** Takes nothing about the resource with this id. */
  refused: string | undefined;
  readonly calls: ReceivedCall[];
  readonly close: () => void;
};

/** A shop's own server. It outlives the hosts, which are stopped and started beside it. */
export async function startShopReceiver(): Promise<ShopReceiver> {
  const server = createServer(async (message, response) => {
    const text = Buffer.concat(await message.toArray()).toString();
    const body: Body = JSON.parse(text);
    const takes = !receiver.isFull && (receiver.refused === undefined || body.data?.id !== receiver.refused);
    if (takes) receiver.calls.push({ headers: message.headers, text, body });
    response.writeHead(takes ? 204 : 500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const receiver: ShopReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    isFull: false,
    refused: undefined,
    calls: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
