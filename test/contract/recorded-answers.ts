import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDeadline } from '#shared/kernel/clock.ts';
import type { ChargeOrder, ChargeRef, PspAdapter, PspContext } from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { type CannedServer, startCannedServer } from '#test/contract/canned-server.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

type RecordedCall = 'create' | 'confirm' | 'cancel' | 'refund' | 'fetch' | 'find' | 'fetch_refund' | 'list_refunds';

/**
 * What a provider was seen to answer, as its documents or its own test suite publish it, and what the adapter must read
 * in it. Ids and personal details are ours.
 */
export type RecordedAnswer = {
  /** A sentence without its end: the title of the test. */
  readonly given: string;
  /** Where the answer is published, with the day it was read. */
  readonly source: string;
  readonly call: RecordedCall;
  /** What the call asks for, where it differs from the usual order. */
  readonly order?: Partial<ChargeOrder>;
  /** The reference of the charge or refund that the call is about. */
  readonly reference?: string;
  /** The reference of the charge, for `fetch_refund`. */
  readonly charge?: string;
  /** The customer's input, for `confirm`. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Of a refund: the amount in our minor units. Default 500. */
  readonly amount?: number;
  /** In the order of the adapter's calls. The last one repeats. */
  readonly answers: readonly {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  }[];
  /** A part of the outcome, or of the error that is thrown: `{ "throws": "PspRefused", "kind": "state" }`. */
  readonly verdict: Readonly<Record<string, unknown>> | readonly unknown[] | null;
};

/** Reads each recorded answer through the real adapter and transport. Fewer than `atLeast` answers are a failure. */
export function describeRecordedAnswers(
  adapter: PspAdapter,
  credentials: unknown,
  answers: readonly RecordedAnswer[],
  { atLeast = 40, responsesByPath = {} }: { atLeast?: number; responsesByPath?: CannedResponsesByPath } = {},
): void {
  describe(`recorded answers of ${adapter.provider}`, () => {
    let psp: CannedServer;
    beforeAll(async () => {
      psp = await startCannedServer(responsesByPath);
    });
    afterAll(() => psp.close());

    it(`are at least ${atLeast}, and each says where it is published`, () => {
      expect(answers.length).toBeGreaterThanOrEqual(atLeast);
      expect(answers.filter(({ source }) => !/\d{4}-\d{2}/.test(source)).map(({ given }) => given)).toEqual([]);
      expect(new Set(answers.map(({ given }) => given)).size).toBe(answers.length);
    });

    it.each(answers)('$call: $given', async (recorded) => {
      psp.respond(...recorded.answers);
      const seen = await seenIn(callOf(adapter, recorded, contextOf(adapter, credentials, psp)));
      if (recorded.verdict === null) expect(seen ?? null).toBeNull();
      else expect(seen).toMatchObject(recorded.verdict);
    });
  });
}

type CannedResponsesByPath = Parameters<typeof startCannedServer>[0];

/** The outcome, or the error as plain data. */
const seenIn = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: Error) => ({ throws: error.name, ...error }));

function contextOf(adapter: PspAdapter, given: unknown, psp: CannedServer): PspContext<unknown> {
  const parsed = adapter.parseCredentials(given);
  if (!parsed.ok) throw new Error(`The credentials for ${adapter.provider} are not valid.`);
  const transport = makePspTransport({ baseUrls: () => psp.base });
  const deadline = startDeadline(5_000);
  return {
    credentials: parsed.credentials,
    now: () => new Date(AN_ORDER.startedAt),
    send: (request) => transport.send(adapter.provider, request, deadline),
    rootCertificates: () => [],
  };
}

async function callOf(adapter: PspAdapter, recorded: RecordedAnswer, context: PspContext<unknown>): Promise<unknown> {
  const order: ChargeOrder = { ...AN_ORDER, ...recorded.order };
  const { paymentId, attemptId, currency, metadata } = order;
  const { reference = 'ref_1', input = {}, amount = 500 } = recorded;
  const charge: ChargeRef = { reference, paymentId, attemptId, mayCapture: true };
  const refundId = 're_01jc0000000000000000000001';
  switch (recorded.call) {
    case 'create':
      return adapter.create(order, context);
    case 'confirm':
      return adapter.confirm({ reference, order, input }, context);
    case 'cancel':
      return adapter.cancel(charge, context);
    case 'refund':
      return adapter.refund({ paymentId, refundId, reference, amount, currency, metadata }, context);
    case 'fetch':
      return adapter.fetch(charge, context);
    case 'find':
      return adapter.find?.(order, context);
    case 'fetch_refund':
      return adapter.fetchRefund({ reference, paymentId, charge: recorded.charge ?? null }, context);
    default:
      return adapter.listRefunds?.(charge, context);
  }
}
