import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Clock } from '#shared/kernel/clock.ts';

const Status = z.int().min(200).max(599);

/** The body of `PUT /receiver/{name}`: the responses from now on. */
export const ReceiverResponses = z.strictObject({
  status: Status.optional(),
  delay_ms: z.int().min(0).max(120_000).optional(),
  /** The responses in turn; the last one repeats. */
  sequence: z.array(Status).min(1).optional(),
  /** What it writes, as plain text; an empty JSON object otherwise. */
  body: z.string().max(20_000).optional(),
});
export type ReceiverResponses = z.infer<typeof ReceiverResponses>;

type ReceivedDelivery = {
  readonly at: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw_body: string;
  readonly status: number;
};

type ReceiverResponse = { readonly status: number; readonly body?: string | undefined };

type Receiver = { answers: ReceiverResponses; answered: number; readonly deliveries: ReceivedDelivery[] };

/** Webhook receivers of a fictional customer. One exists as soon as it is named, and responds with 200 by default. */
export class Receivers {
  readonly #byName = new Map<string, Receiver>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Earlier requests are kept; a sequence starts anew. */
  set(name: string, answers: ReceiverResponses): void {
    const receiver = this.#named(name);
    receiver.answers = answers;
    receiver.answered = 0;
  }

  /** Every receiver that somebody named, with its responses and how many requests it got. */
  list(): readonly { readonly name: string; readonly responses: ReceiverResponses; readonly count: number }[] {
    return [...this.#byName].map(([name, { answers, deliveries }]) => ({
      name,
      responses: answers,
      count: deliveries.length,
    }));
  }

  deliveries(name: string): readonly ReceivedDelivery[] {
    return this.#named(name).deliveries;
  }

  async take(
    name: string,
    { headers, raw_body }: Pick<ReceivedDelivery, 'headers' | 'raw_body'>,
  ): Promise<ReceiverResponse> {
    const receiver = this.#named(name);
    const { status = 200, sequence, delay_ms = 0, body } = receiver.answers;
    const answer = sequence?.[Math.min(receiver.answered, sequence.length - 1)] ?? status;
    receiver.answered += 1;
    receiver.deliveries.push({ at: this.#clock.now().toISOString(), headers, raw_body, status: answer });
    if (delay_ms > 0) await sleep(delay_ms, undefined, { ref: false });
    return { status: answer, body };
  }

  #named(name: string): Receiver {
    const known = this.#byName.get(name) ?? { answers: {}, answered: 0, deliveries: [] };
    this.#byName.set(name, known);
    return known;
  }
}
