import { type BusEvent, type BusPort, BusRejected } from '#shared/ports/bus.port.ts';

/** What the bus takes in one call. */
const MAX_EVENTS = 10;
/** Nobody waits longer for others: one of them may be busy with a conflict or a slow call. */
const MAX_WAIT_MS = 50;

type Publication = {
  readonly events: readonly BusEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The bus for the resources of one batch: their events go out together. They are sent when a call is full, when nobody
 * else of the batch can add to them, or after a short time. A publisher fails only if one of its own events was not
 * accepted.
 */
export class SharedBus implements BusPort {
  readonly #bus: BusPort;
  /** Publishers that are still at work, those that wait included. */
  #members: number;
  #waiting: Publication[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: BusPort, members: number) {
    this.#bus = bus;
    this.#members = members;
  }

  publish(events: readonly BusEvent[]): Promise<void> {
    if (this.#count() + events.length > MAX_EVENTS) this.#send();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, resolve, reject });
      this.#timer ??= setTimeout(() => this.#send(), MAX_WAIT_MS);
      this.#sendIfComplete();
    });
  }

  /** A publisher has ended, whether it published or not. */
  leave(): void {
    this.#members -= 1;
    this.#sendIfComplete();
  }

  #count(): number {
    return this.#waiting.reduce((sum, { events }) => sum + events.length, 0);
  }

  #sendIfComplete(): void {
    if (this.#count() >= MAX_EVENTS || this.#waiting.length >= this.#members) this.#send();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting;
    this.#waiting = [];
    if (sent.length > 0) void publishAll(this.#bus, sent);
  }
}

async function publishAll(bus: BusPort, sent: readonly Publication[]): Promise<void> {
  try {
    await bus.publish(sent.flatMap(({ events }) => events));
    for (const { resolve } of sent) resolve();
  } catch (error) {
    const isLost = ({ events }: Publication) =>
      !(error instanceof BusRejected) || events.some(({ id }) => error.ids.has(id));
    for (const publication of sent) isLost(publication) ? publication.reject(error) : publication.resolve();
  }
}
