import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  type ChargeOrder,
  type Deadline,
  type PspAdapter,
  type PspContext,
  PspNotSent,
  type PspOperation,
  PspOutcomeUnknown,
  PspRefused,
  PspUnasked,
  type RefundOrder,
} from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { type Canned, type CannedServer, type SeenRequest, startCannedServer } from '#test/contract/canned-server.ts';
import { inCi, type RequestCheck, specsThere } from '#test/contract/openapi-check.ts';

export const AN_ORDER: ChargeOrder = {
  paymentId: 'pay_01jc0000000000000000000001',
  attemptId: 'att_01jc0000000000000000000001',
  amount: 1099,
  currency: 'EUR',
  method: 'card',
  country: 'DE',
  description: 'Order 1',
  customerEmail: 'kim@example.com',
  customerIp: '192.0.2.1',
  paymentMethod: { type: 'card' },
  returnUrl: 'https://pay.example/pay/return/pay_01jc0000000000000000000001?t=guess',
  callbackUrl:
    'https://pay.example/webhooks/psp?org_id=org_01jc0000000000000000000001&connection_id=conn_01jc0000000000000000000001&payment_id=pay_01jc0000000000000000000001',
  offSession: false,
  metadata: {
    org_id: 'org_01jc0000000000000000000001',
    connection_id: 'conn_01jc0000000000000000000001',
    payment_id: 'pay_01jc0000000000000000000001',
    customer_email: 'kim@example.com',
  },
  startedAt: '2026-01-01T00:00:00.000Z',
};

export type Money = {
  readonly amount: number;
  readonly currency: string /** As the PSP writes it. */;
  readonly sent: string;
};

type Token = NonNullable<ChargeOrder['paymentMethod']['token']>;

/** Forms of what can be charged again and again, of which every PSP has its own. */
const SAVED: readonly Token[] = ['ok', { customer: 'cst_ok' }];

/** What no PSP has as a token. Whoever calls may have sent anything. */
const NO_TOKENS: readonly unknown[] = ['', {}, { pan: '4242424242424242' }, { token: 7 }, [], ['ok'], 7, true, null];

type RefundState = 'succeeded' | 'pending' | 'failed';

/**
 * One PSP as its documentation has it. Every list of answers is given in the order of the calls that the adapter may
 * make; the last one repeats. Adding a provider is adding a dialect.
 */
export type PspDialect<C = unknown> = {
  readonly adapter: PspAdapter<C>;
  readonly credentials: unknown;
  readonly token: ChargeOrder['paymentMethod']['token'];
  /**
   * Tokens that can be charged while the customer is away. Default: what of `token` and of several PSPs' forms the
   * adapter says it of.
   */
  readonly saved?: readonly Token[];
  /** Texts of credentials and tokens that no error, outcome or address may carry. */
  readonly canaries: readonly string[];
  /** Of a charge that has taken money. */
  readonly reference: string;
  /** Of one that has not yet, where that is another. */
  readonly openReference?: string;
  readonly refundReference: string;
  /** What this PSP does not have; the suite then holds the adapter to saying so without a call. */
  readonly lacks?: readonly ('look_up' | 'refund_look_up' | 'cancel' | 'account_name' | 'page_end')[];
  /** Answers by path, whenever they are asked for: access tokens and the like. */
  readonly always?: Readonly<Record<string, Canned>>;
  /** What the PSP answers a refund, and says of it when asked. Default: all three. */
  readonly refundStates?: readonly RefundState[];
  /** `accepted` where a cancel is only taken and its outcome follows. */
  readonly canceling?: 'canceled' | 'accepted';
  /** `state` where a cancel that comes too late is refused and the core asks how the charge stands. */
  readonly tooLate?: 'answered' | 'state';
  /** What goes on with a charge after its next action. */
  readonly confirmInput?: Readonly<Record<string, unknown>>;
  /** Our id as it may be written to this PSP. */
  readonly ourReference?: (id: string) => string;
  /** What the PSP is shown beside the money, where it is not just our metadata. */
  readonly shown?: { readonly charge?: unknown; readonly refund?: unknown };
  readonly money: readonly Money[];
  readonly inexpressible: readonly { readonly amount: number; readonly currency: string }[];
  /** Reason in the PSP's words → our code and class. */
  readonly declines: readonly (readonly [reason: string, code: string, retry: string])[];
  readonly answers: {
    readonly approved: (money: Money) => readonly Canned[];
    readonly declined: (reason: string) => readonly Canned[];
    readonly redirected: readonly Canned[];
    readonly hosted: readonly Canned[];
    readonly pending: readonly Canned[];
    readonly refunded: (money: Money, state: RefundState) => readonly Canned[];
    /** Asked for the refund by itself; default: the answer to the refund. */
    readonly refundSeen?: (money: Money, state: RefundState) => readonly Canned[];
    /** Of a look at the charge; default: the answer to the charge. */
    readonly seen?: (money: Money) => readonly Canned[];
    readonly canceled: readonly Canned[];
    readonly cancelTooLate: readonly Canned[];
    readonly account: readonly Canned[];
    readonly badCredentials: Canned;
    readonly notFound: Canned;
  };
  /** The amount in a request, as the PSP writes it. */
  readonly amountIn: (request: SeenRequest) => string | undefined;
  /** What makes a repeat the same call to the PSP; of requests that change something. */
  readonly sameness: (request: SeenRequest) => unknown;
  readonly metadataIn: (request: SeenRequest) => unknown;
  readonly accountName?: string;
  /** 5 EUR as the PSP writes it; default `500`. */
  readonly halfSent?: string;
  readonly check: () => RequestCheck;
};

const within = (ms: number): Deadline => {
  const end = performance.now() + ms;
  return { remaining: () => Math.max(0, end - performance.now()) };
};

/** What a provider's own cases need beside the common ones; their requests are checked with the others. */
export type Bench<C> = {
  readonly answer: CannedServer['answer'];
  /** Those of the running test. */
  readonly requests: () => readonly SeenRequest[];
  readonly context: (ms?: number) => PspContext<C>;
  readonly order: ChargeOrder;
  readonly thrown: (call: Promise<unknown>) => Promise<unknown>;
};

export function describePsp<C>(dialect: PspDialect<C>, more: (bench: Bench<C>) => void = () => {}): void {
  const { adapter, answers, reference } = dialect;
  const parsed = adapter.parseCredentials(dialect.credentials);
  if (!parsed.ok) throw new Error(`The ${adapter.provider} dialect's credentials are refused.`);
  const order: ChargeOrder = { ...AN_ORDER, paymentMethod: { type: 'card', token: dialect.token } };
  const { paymentId, attemptId, metadata } = order;
  const [euro] = dialect.money as [Money];
  const refundOrder: RefundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000001',
    reference,
    amount: 500,
    currency: 'EUR',
    whole: false,
    metadata,
  };
  let psp: CannedServer;
  let first = 0;

  beforeAll(async () => {
    psp = await startCannedServer(dialect.always);
  });
  beforeEach(() => {
    first = psp.seen.length;
  });
  afterAll(() => psp.close());

  const context = (ms = 5_000, base = psp.base): PspContext<C> => {
    const transport = makePspTransport({ baseUrls: () => base });
    const deadline = within(ms);
    const send: PspContext<C>['send'] = (request) => transport.send(adapter.provider, request, deadline);
    return { credentials: parsed.credentials, now: () => new Date(order.startedAt), send, roots: () => [] };
  };
  const requests = () => psp.seen.slice(first).filter(({ path }) => dialect.always?.[path] === undefined);
  /** Those that change something at the PSP. */
  const sends = () => requests().filter(({ method }) => method !== 'GET');
  const lacks = (what: NonNullable<typeof dialect.lacks>[number]) => dialect.lacks?.includes(what) ?? false;
  const {
    openReference = reference,
    ourReference = (id) => id,
    canceling = 'canceled',
    tooLate = 'answered',
  } = dialect;
  const charge = { reference, paymentId, attemptId, wanted: true };
  const open = { ...charge, reference: openReference };
  const OPERATIONS: Record<
    Exclude<PspOperation, 'authenticate' | 'certificate'>,
    (context: PspContext<C>) => Promise<unknown>
  > = {
    create: (c) => adapter.create(order, c),
    confirm: (c) => adapter.confirm({ reference: openReference, order, input: dialect.confirmInput ?? {} }, c),
    cancel: (c) => adapter.cancel(open, c),
    refund: (c) => adapter.refund(refundOrder, c),
    fetch: (c) => adapter.fetch(charge, c),
    find: async (c) => adapter.find?.(order, c),
    fetch_refund: (c) => adapter.fetchRefund({ reference: dialect.refundReference, paymentId, charge: reference }, c),
    ping: (c) => adapter.ping(c),
  };
  const missing = {
    cancel: lacks('cancel'),
    fetch: lacks('look_up'),
    find: adapter.find === undefined,
    fetch_refund: lacks('refund_look_up'),
  } as Readonly<Record<string, boolean>>;
  const operations = Object.entries(OPERATIONS).filter(([name]) => !missing[name]);
  const thrown = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'no error',
      (error: unknown) => error,
    );
  const expectNoLeak = (value: unknown) => {
    const text =
      inspect(value, { depth: 9, showHidden: true }) +
      JSON.stringify(value) +
      (value instanceof Error ? value.stack : '');
    for (const canary of dialect.canaries) expect(text).not.toContain(canary);
  };

  describe('a charge', () => {
    it.each(dialect.money)('of $amount $currency is asked for and reported as exactly that', async (money) => {
      psp.answer(...answers.approved(money));
      expect(adapter.canExpress(money.amount, money.currency, false)).toBe(true);
      const outcome = await adapter.create({ ...order, ...money }, context());
      expect(outcome).toEqual({ kind: 'succeeded', reference, amount: money.amount, currency: money.currency });
      expect(requests().map(dialect.amountIn)).toContain(money.sent);
    });

    it.each(dialect.inexpressible)('of $amount $currency is never rounded into something else', async (money) => {
      psp.answer(...answers.approved(euro));
      expect(adapter.canExpress(money.amount, money.currency, false)).toBe(false);
      const error = await thrown(adapter.create({ ...order, ...money }, context()));
      expect([error instanceof PspUnasked, error]).toMatchObject([true, { failure: 'amount_not_supported' }]);
      expect(requests()).toEqual([]);
    });

    it('reports the amount that the PSP took, whatever we asked for', async () => {
      psp.answer(...answers.approved(euro));
      expect(await adapter.create({ ...order, amount: euro.amount + 1 }, context())).toMatchObject({
        kind: 'succeeded',
        amount: euro.amount,
      });
    });

    it.each([
      ['with a token', answers.approved(euro), order.paymentMethod],
      ['on a page', answers.hosted, { type: 'card' } as const],
    ])(
      '%s and with a long description shows no half of a character where that is cut',
      async (_, canned, paymentMethod) => {
        for (const ahead of ['', 'x']) {
          psp.answer(...canned);
          await adapter.create({ ...order, paymentMethod, description: ahead + '😀'.repeat(1_500) }, context());
        }
        expect(requests().length).toBeGreaterThan(1);
        for (const { body } of requests()) expect(body).not.toMatch(/\\ud83d(?!\\ude00)|%EF%BF%BD|\uFFFD/i);
      },
    );

    it.each(dialect.declines)('declined with %s is %s, class %s', async (reason, code, retry) => {
      psp.answer(...answers.declined(reason));
      const outcome = await adapter.create(order, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: { code, retry, provider_code: reason } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline)).toMatchObject({ code });
      expectNoLeak(outcome);
    });

    it('that the customer must authenticate comes back as a redirect', async () => {
      psp.answer(...answers.redirected);
      expect(await adapter.create(order, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect', url: expect.stringMatching(/^https:/) },
      });
    });

    it(`without a token goes to a page of the PSP${lacks('page_end') ? '' : ', which ends at a known time'}`, async () => {
      psp.answer(...answers.hosted);
      const outcome = await adapter.create({ ...order, paymentMethod: { type: 'card' } }, context());
      expect(outcome).toMatchObject({ kind: 'requires_action', action: { type: 'redirect', method: 'GET' } });
      if (!lacks('page_end')) expect(outcome).toMatchObject({ expires_at: expect.stringMatching(/Z$/) });
      expect(requests().map(dialect.amountIn)).toContain(euro.sent);
    });

    it('without a verdict yet is processing', async () => {
      psp.answer(...answers.pending);
      expect(await adapter.create(order, context())).toMatchObject({
        kind: expect.stringMatching(/^(processing|waiting)$/),
        reference: openReference,
      });
    });

    it('is the same call when it is repeated', async () => {
      for (const _ of ['once', 'again']) {
        psp.answer(...answers.pending);
        await adapter.create(order, context());
      }
      verifyRepeated(attemptId);
    });

    it.each([
      ['with a token', order],
      ['on a page', { ...order, paymentMethod: { type: 'card' } }],
    ])('%s shows the PSP our keys and the address of the customer, and nothing else', async (_, each) => {
      psp.answer('cut');
      await thrown(adapter.create(each, context()));
      expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.shown?.charge ?? metadata);
    });

    if (lacks('look_up'))
      it('cannot be looked up, which is said without a call', async () => {
        expect(await thrown(adapter.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
        expect(requests()).toEqual([]);
      });
    else
      it('is found again by its reference', async () => {
        psp.answer(...(answers.seen ?? answers.approved)(euro));
        expect(await adapter.fetch(charge, context())).toMatchObject({
          kind: 'succeeded',
          reference,
          amount: euro.amount,
        });
      });

    if (lacks('cancel'))
      it('cannot be canceled, which is said without a call', async () => {
        expect(await thrown(adapter.cancel(open, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
        expect(requests()).toEqual([]);
      });
    else {
      it('is canceled where the PSP still can', async () => {
        psp.answer(...answers.canceled);
        expect(await OPERATIONS.cancel(context())).toEqual({ kind: canceling, reference: openReference });
      });

      it(`${tooLate === 'state' ? 'refuses' : 'answers with what the PSP has'} a cancel that comes too late`, async () => {
        psp.answer(...answers.cancelTooLate);
        if (tooLate === 'state')
          expect(await thrown(OPERATIONS.cancel(context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
        else expect(await OPERATIONS.cancel(context())).toMatchObject({ kind: 'succeeded', reference });
      });
    }
  });

  const { saved = [...(dialect.token === undefined ? [] : [dialect.token]), ...SAVED] } = dialect;
  const kept = saved.filter((token) => adapter.keepsToken(token, 'card'));
  const away = (token: Token): ChargeOrder => ({ ...order, offSession: true, paymentMethod: { type: 'card', token } });
  /** The addresses that something is sent to. */
  const targetsOf = (requests: readonly SeenRequest[]): readonly string[] =>
    requests.map(({ method, path }) => `${method} ${path}`);

  describe('a charge while the customer is away', () => {
    it('is of a saved token, which nothing else is taken for', () => {
      expect(kept).toEqual(dialect.saved ?? kept);
      expect(kept.length > 0).toBe(adapter.capabilities.off_session);
      for (const nonsense of NO_TOKENS)
        expect([nonsense, adapter.keepsToken(nonsense as Token, 'card')]).toEqual([nonsense, false]);
    });

    it.each(kept)(
      'takes the money by %j, is the same call when it is repeated, and carries our keys',
      async (token) => {
        for (const _ of ['once', 'again']) {
          psp.answer(...answers.approved(euro));
          const outcome = await adapter.create(away(token), context());
          expect(outcome).toEqual({ kind: 'succeeded', reference, amount: euro.amount, currency: euro.currency });
        }
        verifyRepeated(attemptId);
        expect(requests().map(dialect.amountIn)).toContain(euro.sent);
        expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.shown?.charge ?? metadata);
      },
    );

    it.each(kept)('by %j opens no page of the PSP, whatever else is not known', async (token) => {
      psp.answer(...answers.approved(euro));
      await adapter.create(order, context());
      const attended = targetsOf(sends());
      psp.answer(...answers.hosted);
      await adapter.create({ ...order, paymentMethod: { type: 'card' } }, context());
      const ofPages = targetsOf(sends().slice(attended.length)).filter((target) => !attended.includes(target));
      const before = sends().length;
      for (const unknown of [{}, { customerEmail: null }, { customerIp: null }, { country: null, description: null }]) {
        psp.answer(...answers.approved(euro));
        const outcome = await adapter
          .create({ ...away(token), ...unknown }, context())
          .catch((error: unknown) => error);
        expect(outcome).toMatchObject({ kind: expect.stringMatching(/^(succeeded|request)$/) });
      }
      expect(targetsOf(sends().slice(before)).filter((target) => ofPages.includes(target))).toEqual([]);
    });
  });

  const verifyRepeated = (id: string) => {
    const all = sends();
    const once = all.slice(0, all.length / 2).map(dialect.sameness);
    expect(once.length).toBeGreaterThan(0);
    expect(all.slice(all.length / 2).map(dialect.sameness)).toEqual(once);
    expect(JSON.stringify(once)).toContain(ourReference(id));
  };

  describe('a refund', () => {
    const half = { amount: 500, currency: 'EUR', sent: dialect.halfSent ?? '500' };
    const kinds = { succeeded: 'succeeded', pending: 'accepted', failed: 'failed' } as const;
    const { refundStates = ['succeeded', 'pending', 'failed'] } = dialect;
    it.each(refundStates)('of a part that the PSP calls %s is that', async (state) => {
      psp.answer(...answers.refunded(half, state));
      expect(await adapter.refund(refundOrder, context())).toMatchObject({
        kind: kinds[state],
        reference: dialect.refundReference,
      });
      expect(requests().map(dialect.amountIn)).toContain(half.sent);
    });

    if (lacks('refund_look_up'))
      it('cannot be looked up, which is said without a call', async () => {
        expect(await thrown(OPERATIONS.fetch_refund(context()))).toBeInstanceOf(PspOutcomeUnknown);
        expect(requests()).toEqual([]);
      });
    else
      it.each(['succeeded', 'pending', 'failed'] as const)(
        'that is %s is found again by its reference',
        async (state) => {
          psp.answer(...(answers.refundSeen ?? answers.refunded)(half, state));
          expect(await OPERATIONS.fetch_refund(context())).toMatchObject({
            kind: kinds[state],
            amount: half.amount,
            currency: 'EUR',
          });
        },
      );

    it('is the same call when it is repeated, and carries our keys', async () => {
      for (const _ of ['once', 'again']) {
        psp.answer(...answers.refunded(half, refundStates.includes('pending') ? 'pending' : refundStates[0]!));
        await adapter.refund(refundOrder, context());
      }
      verifyRepeated(refundOrder.refundId);
      expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.shown?.refund ?? metadata);
    });
  });

  describe('an account', () => {
    it(lacks('account_name') ? 'answers, and the PSP tells no name' : 'is named by the PSP', async () => {
      psp.answer(...answers.account);
      expect(await adapter.ping(context())).toEqual({
        accountName: lacks('account_name') ? null : dialect.accountName,
      });
    });
  });

  describe.each(operations)('trouble in %s', (_, run) => {
    it('is "not sent" when the connection is refused, and when no time is left', async () => {
      for (const psp of [context(5_000, 'http://127.0.0.1:1'), context(0)]) {
        const error = await thrown(run(psp));
        expect(error).toBeInstanceOf(PspNotSent);
        expect(error).toMatchObject({ reason: 'unreachable' });
        expectNoLeak(error);
      }
    });

    it('is "not sent" at a rate limit, with the time to wait', async () => {
      psp.answer({
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: { type: 'invalid_request_error', code: 'rate_limit' } },
      });
      const error = await thrown(run(context()));
      expect(error).toBeInstanceOf(PspNotSent);
      expect(error).toMatchObject({ reason: 'rate_limited', retryAfter: 7 });
    });

    it.each<[string, Canned]>([
      ['no answer comes in time', 'hang'],
      ['the connection ends before an answer', 'cut'],
      ['the connection ends within the answer', 'cut_in_body'],
      ['the PSP fails', { status: 500, body: { error: { type: 'api_error', message: 'canary' } } }],
      ['a proxy answers', { status: 502, body: '<html>Bad gateway</html>' }],
      ['the answer is a page', { body: '<html>Welcome</html>' }],
      ['the answer is empty', { body: '' }],
      ['the answer is cut JSON', { body: '{"id": "pi_1", "status": "succ' }],
      ['the answer is another object', { body: { hello: 'world' } }],
      ['the answer is a list', { body: [] }],
      ['the answer is null', { body: 'null' }],
      ['a refusal is unreadable', { status: 402, body: '<html>Payment required</html>' }],
      ['a refusal has no reason', { status: 402, body: { ok: false } }],
      ['a redirect comes', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} }],
    ])('is "unknown" when %s', async (_, answer) => {
      psp.answer(answer);
      const error = await thrown(run(context(answer === 'hang' ? 200 : 5_000)));
      expect(error).toBeInstanceOf(PspOutcomeUnknown);
      expectNoLeak(error);
    });

    it('is "refused" with wrong credentials, and tells none', async () => {
      psp.answer(answers.badCredentials);
      const error = await thrown(run(context()));
      expect(error).toBeInstanceOf(PspRefused);
      expect(error).toMatchObject({ kind: 'credentials' });
      expectNoLeak(error);
    });
  });

  it.each((['fetch', 'fetch_refund', 'cancel'] as const).filter((name) => !missing[name]))(
    'what the PSP does not know is "not found" in %s',
    async (operation) => {
      psp.answer(answers.notFound);
      expect(await thrown(OPERATIONS[operation](context()))).toMatchObject({ name: 'PspRefused', kind: 'not_found' });
    },
  );

  it('says nothing of its credentials when they are malformed', () => {
    for (const broken of [
      { ...(dialect.credentials as object), [dialect.canaries[0]!]: 1 },
      { secret_key: dialect.canaries.join('\n') },
      dialect.canaries[0],
      null,
    ]) {
      const result = adapter.parseCredentials(broken);
      expect(result.ok).toBe(false);
      expectNoLeak(result);
    }
  });

  more({ answer: (...next) => psp.answer(...next), requests, context, order, thrown });

  it('puts no credential or token into an address', () => {
    for (const { path, query } of psp.seen) expectNoLeak(`${path}?${query}`);
  });

  describe.runIf(specsThere || inCi)('what the PSP documents of its requests', () => {
    it('allows every request that was sent', () => {
      const check = dialect.check();
      console.info(`${adapter.provider}: ${psp.seen.length} requests checked`);
      expect(psp.seen.length).toBeGreaterThan(0);
      expect(psp.seen.flatMap(check)).toEqual([]);
    });
  });
  if (!specsThere && !inCi)
    it.skip('is held against the documented requests (skipped: ../shared/psp-specs is not there)', () => {});
}
