import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';

type FastReceiver = {
  readonly url: string;
  /** The time at which the event of each resource arrived, by `performance.now()`. */
  readonly arrived: Map<string, number>;
  readonly close: () => void;
};

/** Responds at once. */
export async function fastReceiver(): Promise<FastReceiver> {
  const arrived = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const { data } = JSON.parse(body) as { readonly data: { readonly id: string } };
    arrived.set(data.id, performance.now());
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrived,
    close: () => void server.close(),
  };
}

type SilentReceivers = {
  readonly url: string;
  /** The number of calls that wait for a response now, and in total. */
  readonly waiting: () => number;
  readonly called: () => number;
  /** Responds to all waiting and future calls; or to none from now on. */
  readonly answer: (isAlive: boolean) => void;
  readonly close: () => void;
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/**
 * A port that accepts every connection and never responds, for any number of organizations. It uses almost no
 * resources itself.
 */
export async function silentReceivers(): Promise<SilentReceivers> {
  const sockets = new Set<Socket>();
  let [called, isAlive] = [0, false];
  const server = createSocketServer((socket) => {
    called += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => isAlive && socket.end(OK));
  }).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    waiting: () => sockets.size,
    called: () => called,
    answer: (alive) => {
      isAlive = alive;
      if (alive) for (const socket of sockets) socket.end(OK);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
