import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScheduledWork } from '#test/faults/crash-sweep.support.ts';
import {
  aBuyer,
  aDebt,
  type BilledSubscription,
  before,
  lastInvoiceOf,
  ledgerOf,
  makeAll,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
} from '#test/faults/renewals.support.ts';
import { type Stop, Turns } from '#test/faults/renewals-turns.support.ts';
import {
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  moveSubscription,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import type { ApiResponse, Body, TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

/** Requests concurrent with a worker: one of the two comes first, and money and invoices agree. */
const turns = new Turns();
let host: TestHost;
beforeAll(async () => {
  host = await startHostWithWebhooks({ wrapTable: turns.through });
  turns.follow(host);
});
afterAll(() => host?.close());

type Round = {
  readonly worker: Omit<Stop, 'group'>;
  readonly request?: Omit<Stop, 'group'>;
  readonly first?: 'request';
};

/**
 * The request completes before the worker's nth call; the worker completes in the middle of the request; or the request
 * continues when the worker has just stored its intent.
 */
const ROUNDS: readonly Round[] = [
  ...Array.from({ length: 11 }, (_, n): Round => ({ worker: { nth: n + 1, when: 'before' } })),
  ...Array.from(
    { length: 10 },
    (_, n): Round => ({ worker: { nth: 1, when: 'before' }, request: { nth: n + 1, when: 'before' } }),
  ),
  ...Array.from({ length: 10 }, (_, n): Round => {
    const request = { nth: 5 + Math.floor(n / 2), when: 'before' } as const;
    return { worker: { nth: n % 2 === 0 ? 4 : 7, when: 'after' }, request, first: 'request' };
  }),
];

type Raced = { readonly billed: BilledSubscription; readonly answer: ApiResponse; readonly where: string };

type Run<T> = { readonly run: () => Promise<T>; readonly stop?: Stop };

async function inTurn(
  work: Required<Run<unknown>>,
  asked: Run<ApiResponse>,
  first: Round['first'],
): Promise<ApiResponse> {
  if (first === 'request' && asked.stop) return (await turns.take({ run: asked.run, stop: asked.stop }, work))[0];
  return (await turns.take(work, asked))[1];
}

/** One round per kind. */
async function race(
  made: readonly Body[],
  dueAt: (made: Body) => Promise<string>,
  group: string,
  request: (made: Body) => Promise<() => Promise<ApiResponse>>,
): Promise<readonly Raced[]> {
  const answers: ApiResponse[] = [];
  for (const [n, each] of made.entries()) {
    const { worker, request: asking, first } = ROUNDS[n]!;
    const [due, ask] = [await dueAt(each), await request(each)];
    await goTo(host, before(due));
    const work = { stop: { ...worker, group: 'renewals' }, run: () => goTo(host, due) };
    const asked = { run: ask, ...(asking && { stop: { ...asking, group } }) };
    answers.push(await inTurn(work, asked, first));
    await drain(host);
  }
  await runScheduledWork(host);
  await verifyNothingLeft(host);
  const books = await ledgerOf(host);
  const raced: Raced[] = [];
  for (const [n, each] of made.entries()) {
    const answer = answers[n]!;
    const where = `${JSON.stringify(ROUNDS[n])}, ${answer.status} ${answer.body.code ?? ''}`;
    raced.push({ billed: await verifyLedger(host, each, books, where), answer, where });
  }
  await endSubscriptions(host);
  return raced;
}

const pause = (subscription: Body): Promise<ApiResponse> =>
  changeSubscription(host, subscription, { status: 'paused' });
const nothingElse = async (): Promise<void> => undefined;
const statuses = (invoices: readonly Body[]): string => invoices.map(({ status }) => status).join(' ');
const occurred = (raced: readonly Raced[], of: (raced: Raced) => string): ReadonlySet<string> => new Set(raced.map(of));

describe('a renewal concurrent with', () => {
  const renewing = async (request: (made: Body) => Promise<ApiResponse>): Promise<readonly Raced[]> => {
    const made = await makeAll(
      host,
      { make: (_, start_at) => subscribe(host, { ...aBuyer(), start_at }), prepare: nothingElse },
      ROUNDS.length,
    );
    return race(
      made,
      async (each) => (await subscriptionOf(host, each)).next_renewal_at,
      'subscriptions',
      async (each) => () => request(each),
    );
  };

  it('a pause charges once before the pause, or not at all', async () => {
    const begun = new Map<string, number>();
    const raced = await renewing(async (each) => {
      const answer = await pause(each);
      begun.set(each.id, (await invoicesOf(host, each)).length);
      return answer;
    });
    for (const { billed, answer, where } of raced) {
      expect([answer.status, billed.subscription.status, billed.eventCounts['subscription.paused']], where).toEqual([
        200,
        'paused',
        1,
      ]);
      // What has not started when the pause returns never starts.
      expect(billed.invoices.length, where).toBe(begun.get(billed.subscription.id));
    }
    expect(occurred(raced, ({ billed }) => statuses(billed.invoices))).toEqual(new Set(['paid', 'paid paid']));
  }, 300_000);

  it('a cancel charges once before the cancel, or not at all, and refunds a charge in between', async () => {
    const raced = await renewing((each) => host.call('POST', `/v1/subscriptions/${each.id}/cancel`));
    for (const { billed, answer, where } of raced) {
      expect([answer.status, billed.subscription.status], where).toEqual([200, 'canceled']);
      expect(statuses(billed.invoices), where).toBeOneOf(['paid', 'paid paid', 'paid canceled']);
    }
    expect(occurred(raced, ({ billed }) => String(billed.invoices.length))).toEqual(new Set(['1', '2']));
  }, 300_000);

  it('a change of the amount charges once, with the old or the new amount', async () => {
    const raced = await renewing((each) => changeSubscription(host, each, { amount: 2_990 }));
    for (const { billed, answer, where } of raced)
      expect([answer.status, billed.subscription.amount, statuses(billed.invoices)], where).toEqual([
        200,
        2_990,
        'paid paid',
      ]);
    expect(occurred(raced, ({ billed }) => String(billed.invoices[1].amount))).toEqual(new Set(['1990', '2990']));
  }, 300_000);
});

/** Errors of a request that comes while another one is running. */
const TOO_LATE = [
  'invoice_not_retryable',
  'invoice_not_cancelable',
  'payment_not_cancelable',
  'outcome_unknown',
  'write_conflict',
];
const responded = ({ status, body }: ApiResponse): string => (status === 200 ? 'done' : body.code);

type InvoiceAction = 'retry' | 'cancel';
const askInvoice = async (subscription: Body, action: InvoiceAction): Promise<() => Promise<ApiResponse>> => {
  const { id } = await lastInvoiceOf(host, subscription);
  return () => host.call('POST', `/v1/invoices/${id}/${action}`);
};
const subscriptionsInDunning = (times: number): Promise<readonly Body[]> =>
  makeAll(host, { make: (_, start_at) => aDebt(host, { start_at }, times), prepare: nothingElse }, ROUNDS.length);

describe('a scheduled retry concurrent with', () => {
  const trying = async (declines: number, action: InvoiceAction): Promise<readonly Raced[]> =>
    race(
      await subscriptionsInDunning(declines),
      async (each) => (await lastInvoiceOf(host, each)).next_retry_at,
      'invoices',
      (each) => askInvoice(each, action),
    );

  it('a requested retry pays once', async () => {
    const raced = await trying(1, 'retry');
    for (const { billed, answer, where } of raced) {
      const { invoices, payments } = billed;
      expect([statuses(invoices), invoices[0].attempts, payments.length, payments[0].attempts.length], where).toEqual([
        'paid',
        2,
        1,
        2,
      ]);
      expect(responded(answer), where).toBeOneOf(['done', ...TOO_LATE]);
    }
    expect(occurred(raced, ({ answer }) => String(answer.status))).toEqual(new Set(['200', '409']));
  }, 300_000);

  it('a requested retry that also fails makes one attempt at a time', async () => {
    const raced = await trying(4, 'retry');
    for (const { billed, where } of raced) {
      const [{ attempts: tries, status }] = billed.invoices as [Body];
      expect([status, tries === 2 || tries === 3], where).toEqual(['open', true]);
      expect([billed.payments[0].attempts.length, billed.eventCounts['payment.failed']], where).toEqual([tries, tries]);
    }
  }, 300_000);

  it.each([
    ['of one that succeeds', 1, 'paid'],
    ['of one that fails', 4, 'open'],
  ])(
    'a cancel of the invoice, %s, leaves the invoice paid or canceled as the response says',
    async (_, declines, otherwise) => {
      const raced = await trying(declines, 'cancel');
      for (const { billed, answer, where } of raced) {
        expect(statuses(billed.invoices), where).toBe(answer.status === 200 ? 'canceled' : otherwise);
        // No money is kept for a canceled invoice.
        expect(
          billed.payments.flatMap(({ refunds }) => refunds),
          where,
        ).toEqual([]);
        expect(responded(answer), where).toBeOneOf(['done', ...TOO_LATE]);
      }
      expect(occurred(raced, ({ billed }) => statuses(billed.invoices))).toEqual(new Set([otherwise, 'canceled']));
    },
    300_000,
  );
});

describe('an attempt concurrent with a pause of the subscription', () => {
  it('is made before the pause, or waits', async () => {
    const tried = new Map<string, number>();
    const raced = await race(
      await subscriptionsInDunning(1),
      async (each) => (await lastInvoiceOf(host, each)).next_retry_at,
      'subscriptions',
      async (each) => async () => {
        const answer = await pause(each);
        tried.set(each.id, (await lastInvoiceOf(host, each)).attempts);
        return answer;
      },
    );
    for (const { billed, answer, where } of raced) {
      const { subscription, invoices } = billed;
      expect([answer.status, subscription.status, invoices[0].attempts], where).toEqual([
        200,
        'paused',
        tried.get(subscription.id),
      ]);
      expect(statuses(invoices), where).toBe(invoices[0].attempts === 1 ? 'open' : 'paid');
      await moveSubscription(host, subscription, 'cancel');
    }
    expect(new Set(tried.values())).toEqual(new Set([1, 2]));
  }, 300_000);
});

describe('an attempt concurrent with a cancel of the subscription', () => {
  it.each([
    ['it would succeed', 1, ['paid', 'canceled']],
    ['it would fail', 4, ['canceled']],
  ])(
    'pays before the cancel, or not at all: %s',
    async (_, declines, ends) => {
      const raced = await race(
        await subscriptionsInDunning(declines),
        async (each) => (await lastInvoiceOf(host, each)).next_retry_at,
        'subscriptions',
        async (each) => () => host.call('POST', `/v1/subscriptions/${each.id}/cancel`),
      );
      for (const { billed, answer, where } of raced)
        expect([answer.status, billed.subscription.status], where).toEqual([200, 'canceled']);
      expect(occurred(raced, ({ billed }) => statuses(billed.invoices))).toEqual(new Set(ends));
    },
    300_000,
  );
});

describe('two concurrent requests for one invoice', () => {
  type Pair = { readonly billed: BilledSubscription; readonly answers: readonly ApiResponse[]; readonly where: string };

  /** The first request is blocked at each of its calls until the second completes. */
  const pairs = async (
    requests: (each: Body, n: number) => Promise<readonly [() => Promise<ApiResponse>, () => Promise<ApiResponse>]>,
  ): Promise<readonly Pair[]> => {
    const made = await subscriptionsInDunning(1);
    const answers: (readonly ApiResponse[])[] = [];
    for (const [n, each] of made.entries()) {
      const [first, second] = await requests(each, n);
      answers.push(await turns.take({ stop: stopOf(n), run: first }, { run: second }));
    }
    await runScheduledWork(host);
    await verifyNothingLeft(host);
    const books = await ledgerOf(host);
    const all: Pair[] = [];
    for (const [n, each] of made.entries()) {
      const where = `${JSON.stringify(stopOf(n))} ${answers[n]!.map(responded)}`;
      all.push({ billed: await verifyLedger(host, each, books, where), answers: answers[n]!, where });
    }
    await endSubscriptions(host);
    return all;
  };
  const stopOf = (n: number): Stop => ({
    group: 'invoices',
    nth: 1 + Math.floor(n / 2),
    when: n % 2 === 0 ? 'before' : 'after',
  });

  it('pay once as two retries', async () => {
    for (const { billed, answers, where } of await pairs(async (each) => [
      await askInvoice(each, 'retry'),
      await askInvoice(each, 'retry'),
    ])) {
      expect([statuses(billed.invoices), billed.invoices[0].attempts, billed.payments.length], where).toEqual([
        'paid',
        2,
        1,
      ]);
      expect(answers.map(responded), where).toContain('done');
      for (const answer of answers) expect(responded(answer), where).toBeOneOf(['done', ...TOO_LATE]);
    }
  }, 300_000);

  it('make one attempt as two retries with one idempotency key, which both return', async () => {
    const same = async (each: Body) => {
      const { id } = await lastInvoiceOf(host, each);
      return () => host.call('POST', `/v1/invoices/${id}/retry`, undefined, { idempotencyKey: each.id });
    };
    for (const { billed, answers, where } of await pairs(async (each) => [await same(each), await same(each)])) {
      expect([statuses(billed.invoices), billed.invoices[0].attempts], where).toEqual(['paid', 2]);
      expect(answers.map(responded), where).toContain('done');
      for (const answer of answers) expect(responded(answer), where).toBeOneOf(['done', 'idempotency_in_progress']);
    }
  }, 300_000);

  it.each([
    ['a retry and a cancel', ['retry', 'cancel']],
    ['a cancel and a retry', ['cancel', 'retry']],
  ] as const)(
    'pay or cancel it as the responses say: %s',
    async (_, [first, second]) => {
      for (const { billed, answers, where } of await pairs(async (each) => [
        await askInvoice(each, first),
        await askInvoice(each, second),
      ])) {
        const status = statuses(billed.invoices);
        expect(['paid', 'canceled'], where).toContain(status);
        for (const answer of answers)
          expect(answer.status === 200 ? answer.body.status : responded(answer), where).toBeOneOf([
            status,
            ...TOO_LATE,
          ]);
      }
    },
    300_000,
  );
});
