import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { MINUTE, monotonic, SECOND } from '#shared/kernel/clock.ts';

/** Closed before a usual server closes it, so that few deliveries meet a closing one. */
const IDLE_MS = 4 * SECOND;
/** Afterwards the name is resolved again, so that a receiver that moved is followed. */
const MAX_AGE_MS = MINUTE;
/** How many idle connections a receiver (a host and port) may have, and all of them together. */
const MAX_IDLE = { ofReceiver: 256, ofAll: 512 } as const;

/** The connections to webhook endpoints. */
export type ReceiverConnections = {
  /** Opens connections with the `lookup` of their first request, or uses one again. `protocol`: `https:` or `http:`. */
  readonly agentFor: (protocol: string) => http.Agent;
  /** The request on this connection went well: it may carry another one. Any other connection is closed at its end. */
  readonly keep: (socket: Duplex) => void;
};

/**
 * Connections stay with the address that was checked when they were opened, so they are used again without a look-up.
 */
export function makeReceiverConnections(now: () => number = monotonic): ReceiverConnections {
  const idle = new IdleSockets(now);
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE.ofReceiver };
  const plain = pooling(new http.Agent(options), idle);
  const secure = pooling(new https.Agent(options), idle);
  return {
    agentFor: (protocol) => {
      idle.closeStale();
      return protocol === 'https:' ? secure : plain;
    },
    keep: (socket) => idle.allow(socket),
  };
}

function pooling<A extends http.Agent>(agent: A, idle: IdleSockets): A {
  const keepSocketAlive: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  const reuseSocket = agent.reuseSocket.bind(agent);
  return Object.assign(agent, {
    keepSocketAlive: (socket: Duplex) => idle.mayStay(socket) && keepSocketAlive(socket) !== false && idle.add(socket),
    reuseSocket: (socket: Duplex, request: http.ClientRequest) => {
      idle.remove(socket);
      reuseSocket(socket, request);
    },
  });
}

class IdleSockets {
  /** Those whose last request went well. */
  readonly #allowed = new WeakSet<Duplex>();
  readonly #firstKept = new WeakMap<Duplex, number>();
  /** The longest idle come first. */
  readonly #since = new Map<Duplex, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  allow(socket: Duplex): void {
    this.#allowed.add(socket);
  }

  mayStay(socket: Duplex): boolean {
    const age = this.#now() - (this.#firstKept.get(socket) ?? this.#now());
    return this.#allowed.delete(socket) && age < MAX_AGE_MS && this.#since.size < MAX_IDLE.ofAll;
  }

  add(socket: Duplex): boolean {
    if (!this.#firstKept.has(socket)) this.#firstKept.set(socket, this.#now());
    this.#since.set(socket, this.#now());
    // What comes before the next request would be taken for its response.
    socket.once('data', this.#drop);
    return true;
  }

  remove(socket: Duplex): void {
    this.#since.delete(socket);
    socket.removeListener('data', this.#drop);
  }

  /** Timers are not enough: between two invocations a function stands still. */
  closeStale(): void {
    for (const [socket, since] of this.#since) {
      if (this.#now() - since < IDLE_MS) return;
      this.remove(socket);
      socket.destroy();
    }
  }

  readonly #drop = function (this: Duplex): void {
    this.destroy();
  };
}
