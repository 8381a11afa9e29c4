import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';

type FastReceiver = {
  readonly url: string;
  /** When each resource's event came, by `performance.now()`. */
  readonly arrived: Map<string, number>;
  readonly close: () => void;
};

/** Answers at once. */
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
  /** How many calls wait for an answer now, and how many there were. */
  readonly waiting: () => number;
  readonly called: () => number;
  /** Answers all who wait, and who comes from now on; or nobody any more. */
  readonly answer: (isAlive: boolean) => void;
  readonly close: () => void;
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/**
 * A port at which everybody is let in and nobody is answered, for as many organizations as want. It costs next to
 * nothing itself.
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
