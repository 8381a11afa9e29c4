import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { startDeadline } from '#shared/kernel/clock.ts';
import {
  type ChargeOrder,
  type Deadline,
  type PspAdapter,
  type PspContext,
  PspNotSent,
  type PspOperation,
  PspOutcomeUnknown,
  PspRefused,
  PspUnsupported,
  type RefundOrder,
} from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import {
  type CannedResponse,
  type CannedServer,
  type ReceivedRequest,
  startCannedServer,
} from '#test/contract/canned-server.ts';
import { inCi, type RequestCheck, specsThere } from '#test/contract/openapi-check.ts';
import { type CaptureDialect, captureOrderOf, describeCaptures } from '#test/contract/psp-capture.contract.ts';

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
  readonly currency: string;
  /** As the PSP writes it. */
  readonly sent: string;
};

type Token = NonNullable<ChargeOrder['paymentMethod']['token']>;

/** Reusable tokens in the forms of several PSPs. */
const COMMON_TOKENS: readonly Token[] = ['ok', { customer: 'cst_ok' }];

/** Values that are no PSP's token. A client may send anything. */
const INVALID_TOKENS: readonly unknown[] = [
  '',
  {},
  { pan: '4242424242424242' },
  { token: 7 },
  [],
  ['ok'],
  7,
  true,
  null,
];

type RefundState = 'succeeded' | 'pending' | 'failed';

/**
 * One PSP as its documentation describes it. A list of responses is in the order of the adapter's calls, and the last
 * one repeats. A new provider needs a new dialect.
 */
export type PspDialect<C = unknown> = {
  readonly adapter: PspAdapter<C>;
  readonly credentials: unknown;
  readonly token: ChargeOrder['paymentMethod']['token'];
  /**
   * Tokens that can be charged off-session. Default: those of `token` and of the common forms that the adapter accepts.
   */
  readonly reusableTokens?: readonly Token[];
  /** Texts of credentials and tokens that no error, outcome or address may carry. */
  readonly canaries: readonly string[];
  /** The reference of a charge that has taken money. */
  readonly reference: string;
  /** The reference of a charge that has not taken money yet, if it differs. */
  readonly openReference?: string;
  readonly refundReference: string;
  /** What this PSP does not support. The adapter must then fail without a call. */
  readonly unsupported?: readonly ('look_up' | 'refund_look_up' | 'cancel' | 'account_name' | 'page_end')[];
  /** Responses by path, at any time: access tokens, for example. */
  readonly responsesByPath?: Readonly<Record<string, CannedResponse>>;
  /** The states of a refund that the PSP reports. Default: all three. */
  readonly refundStates?: readonly RefundState[];
  /** `accepted` if the PSP only accepts a cancel, and its outcome follows. */
  readonly cancelOutcome?: 'canceled' | 'accepted';
  /** `state` if the PSP refuses a cancel that comes too late, and the charge is looked up. */
  readonly tooLate?: 'outcome' | 'state';
  /** What continues a charge after its next action. */
  readonly confirmInput?: Readonly<Record<string, unknown>>;
  /** Our id in the form that this PSP allows. */
  readonly toReference?: (id: string) => string;
  /** What is sent as metadata, if it is not just ours. */
  readonly sentMetadata?: { readonly charge?: unknown; readonly refund?: unknown };
  readonly money: readonly Money[];
  readonly unsupportedAmounts: readonly { readonly amount: number; readonly currency: string }[];
  /** The PSP's reason → our code and class. */
  readonly declines: readonly (readonly [reason: string, code: string, retry: string])[];
  readonly responses: {
    readonly approved: (money: Money) => readonly CannedResponse[];
    readonly declined: (reason: string) => readonly CannedResponse[];
    readonly redirected: readonly CannedResponse[];
    readonly hosted: readonly CannedResponse[];
    readonly pending: readonly CannedResponse[];
    readonly refunded: (money: Money, state: RefundState) => readonly CannedResponse[];
    /** The response to a look-up of the refund. Default: the response to the refund. */
    readonly fetchedRefund?: (money: Money, state: RefundState) => readonly CannedResponse[];
    /** The response to a look-up of the charge. Default: the response to the charge. */
    readonly fetched?: (money: Money) => readonly CannedResponse[];
    readonly canceled: readonly CannedResponse[];
    readonly cancelTooLate: readonly CannedResponse[];
    readonly account: readonly CannedResponse[];
    readonly badCredentials: CannedResponse;
    readonly notFound: CannedResponse;
  };
  /** The amount in a request, as the PSP writes it. */
  readonly amountIn: (request: ReceivedRequest) => string | undefined;
  /** The fields that make a repeat the same call to the PSP. Only for requests that change something. */
  readonly idempotencyFields: (request: ReceivedRequest) => unknown;
  readonly metadataIn: (request: ReceivedRequest) => unknown;
  readonly accountName?: string;
  /** How it authorizes now and captures later. Its failed calls are tried with all others. */
  readonly capture?: CaptureDialect;
  /** 5 EUR as the PSP writes it; default `500`. */
  readonly fiveEurosSent?: string;
  readonly check: () => RequestCheck;
};

const within = (ms: number): Deadline => startDeadline(ms);

/** What a provider's own tests need. Their requests are checked with the others. */
export type Bench<C> = {
  readonly respond: CannedServer['respond'];
  /** The requests of the running test. */
  readonly requests: () => readonly ReceivedRequest[];
  readonly context: (ms?: number) => PspContext<C>;
  readonly order: ChargeOrder;
  readonly errorOf: (call: Promise<unknown>) => Promise<unknown>;
};

export function describePsp<C>(dialect: PspDialect<C>, more: (bench: Bench<C>) => void = () => {}): void {
  const { adapter, responses, reference } = dialect;
  const parsed = adapter.parseCredentials(dialect.credentials);
  if (!parsed.ok) throw new Error(`The credentials of the ${adapter.provider} dialect are not valid.`);
  const order: ChargeOrder = { ...AN_ORDER, paymentMethod: { type: 'card', token: dialect.token } };
  const { paymentId, attemptId, metadata } = order;
  const [euro] = dialect.money as [Money];
  const refundOrder: RefundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000001',
    reference,
    amount: 500,
    currency: 'EUR',
    metadata,
  };
  let psp: CannedServer;
  let first = 0;

  beforeAll(async () => {
    psp = await startCannedServer(dialect.responsesByPath);
  });
  beforeEach(() => {
    first = psp.received.length;
  });
  afterAll(() => psp.close());

  const context = (ms = 5_000, base = psp.base): PspContext<C> => {
    const transport = makePspTransport({ baseUrls: () => base });
    const deadline = within(ms);
    const send: PspContext<C>['send'] = (request) => transport.send(adapter.provider, request, deadline);
    return { credentials: parsed.credentials, now: () => new Date(order.startedAt), send, rootCertificates: () => [] };
  };
  const requests = () => psp.received.slice(first).filter(({ path }) => dialect.responsesByPath?.[path] === undefined);
  /** Requests that change something at the PSP. */
  const sends = () => requests().filter(({ method }) => method !== 'GET');
  const isMissing = (what: NonNullable<typeof dialect.unsupported>[number]) =>
    dialect.unsupported?.includes(what) ?? false;
  const {
    openReference = reference,
    toReference = (id) => id,
    cancelOutcome = 'canceled',
    tooLate = 'outcome',
  } = dialect;
  const charge = { reference, paymentId, attemptId, mayCapture: true };
  const open = { ...charge, reference: openReference };
  const OPERATIONS: Record<
    Exclude<PspOperation, 'authenticate' | 'certificate' | 'list' | 'capture' | 'dispute'>,
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
    cancel: isMissing('cancel'),
    fetch: isMissing('look_up'),
    find: adapter.find === undefined,
    fetch_refund: isMissing('refund_look_up'),
  } as Readonly<Record<string, boolean>>;
  const captured = captureOrderOf(order, dialect.capture?.reference ?? reference);
  const authorization = { ...charge, reference: captured.reference, manual: true } as const;
  const CAPTURE_OPERATIONS: Readonly<Record<string, (context: PspContext<C>) => Promise<unknown>>> = {
    capture: async (c) => adapter.capture?.(captured, c),
    'a repeated capture': async (c) => adapter.capture?.({ ...captured, isRepeat: true }, c),
    'cancel of an authorized charge': (c) => adapter.cancel(authorization, c),
    ...(adapter.fetchAuthorization && {
      'a look-up of an authorization': async (c: PspContext<C>) => adapter.fetchAuthorization?.(authorization, c),
    }),
  };
  const operations = [
    ...Object.entries(OPERATIONS).filter(([name]) => !missing[name]),
    ...(dialect.capture ? Object.entries(CAPTURE_OPERATIONS) : []),
  ];
  const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
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

  describe('PspAdapter.create, fetch and cancel', () => {
    it.each(dialect.money)('charges exactly $amount $currency and reports that amount', async (money) => {
      psp.respond(...responses.approved(money));
      expect(adapter.supportsAmount(money.amount, money.currency, false)).toBe(true);
      const outcome = await adapter.create({ ...order, ...money }, context());
      expect(outcome).toMatchObject({ kind: 'succeeded', reference, amount: money.amount, currency: money.currency });
      expect(requests().map(dialect.amountIn)).toContain(money.sent);
    });

    it.each(dialect.unsupportedAmounts)(
      'sends nothing for $amount $currency, which the PSP cannot express',
      async (money) => {
        psp.respond(...responses.approved(euro));
        expect(adapter.supportsAmount(money.amount, money.currency, false)).toBe(false);
        const error = await errorOf(adapter.create({ ...order, ...money }, context()));
        expect([error instanceof PspUnsupported, error]).toMatchObject([true, { failure: 'amount_not_supported' }]);
        expect(requests()).toEqual([]);
      },
    );

    it('reports the amount that the PSP took, whatever the request said', async () => {
      psp.respond(...responses.approved(euro));
      expect(await adapter.create({ ...order, amount: euro.amount + 1 }, context())).toMatchObject({
        kind: 'succeeded',
        amount: euro.amount,
      });
    });

    it.each([
      ['with a token', responses.approved(euro), order.paymentMethod],
      ['on a page', responses.hosted, { type: 'card' } as const],
    ])('a charge %s never cuts a long description within a character', async (_, canned, paymentMethod) => {
      for (const ahead of ['', 'x']) {
        psp.respond(...canned);
        await adapter.create({ ...order, paymentMethod, description: ahead + '😀'.repeat(1_500) }, context());
      }
      expect(requests().length).toBeGreaterThan(1);
      for (const { body } of requests()) expect(body).not.toMatch(/\\ud83d(?!\\ude00)|%EF%BF%BD|\uFFFD/i);
    });

    it.each(dialect.declines)(
      'maps the decline reason %s to the code %s and the class %s',
      async (reason, code, retry) => {
        psp.respond(...responses.declined(reason));
        const outcome = await adapter.create(order, context());
        expect(outcome).toMatchObject({ kind: 'declined', decline: { code, retry, provider_code: reason } });
        if (outcome.kind === 'declined') expect(failureOf(outcome.decline)).toMatchObject({ code });
        expectNoLeak(outcome);
      },
    );

    it('returns a redirect when the customer must authenticate', async () => {
      psp.respond(...responses.redirected);
      expect(await adapter.create(order, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect', url: expect.stringMatching(/^https:/) },
      });
    });

    it(`redirects a charge without a token to a page of the PSP${isMissing('page_end') ? '' : ' with a known expiry'}`, async () => {
      psp.respond(...responses.hosted);
      const outcome = await adapter.create({ ...order, paymentMethod: { type: 'card' } }, context());
      expect(outcome).toMatchObject({ kind: 'requires_action', action: { type: 'redirect', method: 'GET' } });
      if (!isMissing('page_end')) expect(outcome).toMatchObject({ expires_at: expect.stringMatching(/Z$/) });
      expect(requests().map(dialect.amountIn)).toContain(euro.sent);
    });

    it('keeps a charge pending while the PSP has not decided', async () => {
      psp.respond(...responses.pending);
      expect(await adapter.create(order, context())).toMatchObject({
        kind: expect.stringMatching(/^(processing|waiting)$/),
        reference: openReference,
      });
    });

    it('sends the same call when a charge is repeated', async () => {
      for (const _ of ['once', 'again']) {
        psp.respond(...responses.pending);
        await adapter.create(order, context());
      }
      expectSameCall(attemptId);
    });

    it.each([
      ['with a token', order],
      ['on a page', { ...order, paymentMethod: { type: 'card' } }],
    ])(
      'a charge %s sends our ids and the email address of the customer as metadata, and nothing else',
      async (_, each) => {
        psp.respond('cut');
        await errorOf(adapter.create(each, context()));
        expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.sentMetadata?.charge ?? metadata);
      },
    );

    if (isMissing('look_up'))
      it('cannot look up a charge, and fails without a call', async () => {
        expect(await errorOf(adapter.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
        expect(requests()).toEqual([]);
      });
    else
      it('looks up a charge by its reference', async () => {
        psp.respond(...(responses.fetched ?? responses.approved)(euro));
        expect(await adapter.fetch(charge, context())).toMatchObject({
          kind: 'succeeded',
          reference,
          amount: euro.amount,
        });
      });

    if (isMissing('cancel'))
      it('cannot cancel a charge, and fails without a call', async () => {
        expect(await errorOf(adapter.cancel(open, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
        expect(requests()).toEqual([]);
      });
    else {
      it('cancels a charge while the PSP still can', async () => {
        psp.respond(...responses.canceled);
        expect(await OPERATIONS.cancel(context())).toEqual({ kind: cancelOutcome, reference: openReference });
      });

      it(`${tooLate === 'state' ? 'refuses a cancel' : 'returns the outcome of a charge'} when it is too late to cancel`, async () => {
        psp.respond(...responses.cancelTooLate);
        if (tooLate === 'state')
          expect(await errorOf(OPERATIONS.cancel(context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
        else expect(await OPERATIONS.cancel(context())).toMatchObject({ kind: 'succeeded', reference });
      });
    }
  });

  const { reusableTokens: candidates = [...(dialect.token === undefined ? [] : [dialect.token]), ...COMMON_TOKENS] } =
    dialect;
  const reusable = candidates.filter((token) => adapter.isReusableToken(token, 'card'));
  const offSession = (token: Token): ChargeOrder => ({
    ...order,
    offSession: true,
    paymentMethod: { type: 'card', token },
  });
  /** Method and path of requests. */
  const targetsOf = (requests: readonly ReceivedRequest[]): readonly string[] =>
    requests.map(({ method, path }) => `${method} ${path}`);

  describe('PspAdapter.create off-session', () => {
    it('accepts only reusable tokens', () => {
      expect(reusable).toEqual(dialect.reusableTokens ?? reusable);
      expect(reusable.length > 0).toBe(adapter.capabilities.off_session);
      for (const invalid of INVALID_TOKENS)
        expect([invalid, adapter.isReusableToken(invalid as Token, 'card')]).toEqual([invalid, false]);
    });

    it.each(reusable)(
      'charges the token %j, sends the same call when it is repeated, and sends our ids',
      async (token) => {
        for (const _ of ['once', 'again']) {
          psp.respond(...responses.approved(euro));
          const outcome = await adapter.create(offSession(token), context());
          expect(outcome).toMatchObject({ kind: 'succeeded', reference, amount: euro.amount, currency: euro.currency });
        }
        expectSameCall(attemptId);
        expect(requests().map(dialect.amountIn)).toContain(euro.sent);
        expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.sentMetadata?.charge ?? metadata);
      },
    );

    it.each(reusable)('opens no page of the PSP for the token %j, whatever else is unknown', async (token) => {
      psp.respond(...responses.approved(euro));
      await adapter.create(order, context());
      const attended = targetsOf(sends());
      psp.respond(...responses.hosted);
      await adapter.create({ ...order, paymentMethod: { type: 'card' } }, context());
      const ofPages = targetsOf(sends().slice(attended.length)).filter((target) => !attended.includes(target));
      const before = sends().length;
      for (const unknown of [{}, { customerEmail: null }, { customerIp: null }, { country: null, description: null }]) {
        psp.respond(...responses.approved(euro));
        const outcome = await adapter
          .create({ ...offSession(token), ...unknown }, context())
          .catch((error: unknown) => error);
        expect(outcome).toMatchObject({ kind: expect.stringMatching(/^(succeeded|request)$/) });
      }
      expect(targetsOf(sends().slice(before)).filter((target) => ofPages.includes(target))).toEqual([]);
    });
  });

  const expectSameCall = (id: string) => {
    const all = sends();
    const once = all.slice(0, all.length / 2).map(dialect.idempotencyFields);
    expect(once.length).toBeGreaterThan(0);
    expect(all.slice(all.length / 2).map(dialect.idempotencyFields)).toEqual(once);
    expect(JSON.stringify(once)).toContain(toReference(id));
  };

  describe('PspAdapter.refund', () => {
    const half = { amount: 500, currency: 'EUR', sent: dialect.fiveEurosSent ?? '500' };
    const kinds = { succeeded: 'succeeded', pending: 'accepted', failed: 'failed' } as const;
    const { refundStates = ['succeeded', 'pending', 'failed'] } = dialect;
    it.each(refundStates)('reports a partial refund as %s when the PSP does', async (state) => {
      psp.respond(...responses.refunded(half, state));
      expect(await adapter.refund(refundOrder, context())).toMatchObject({
        kind: kinds[state],
        reference: dialect.refundReference,
      });
      expect(requests().map(dialect.amountIn)).toContain(half.sent);
    });

    if (isMissing('refund_look_up'))
      it('cannot look up a refund, and fails without a call', async () => {
        expect(await errorOf(OPERATIONS.fetch_refund(context()))).toBeInstanceOf(PspOutcomeUnknown);
        expect(requests()).toEqual([]);
      });
    else
      it.each(['succeeded', 'pending', 'failed'] as const)(
        'looks up a refund that is %s by its reference',
        async (state) => {
          psp.respond(...(responses.fetchedRefund ?? responses.refunded)(half, state));
          expect(await OPERATIONS.fetch_refund(context())).toMatchObject({
            kind: kinds[state],
            amount: half.amount,
            currency: 'EUR',
          });
        },
      );

    it('sends the same call when a refund is repeated, and sends our ids', async () => {
      for (const _ of ['once', 'again']) {
        psp.respond(...responses.refunded(half, refundStates.includes('pending') ? 'pending' : refundStates[0]!));
        await adapter.refund(refundOrder, context());
      }
      expectSameCall(refundOrder.refundId);
      expect(dialect.metadataIn(sends()[0]!)).toEqual(dialect.sentMetadata?.refund ?? metadata);
    });
  });

  describe('PspAdapter.ping', () => {
    it(
      isMissing('account_name') ? 'succeeds without the name of the account' : 'returns the name of the account',
      async () => {
        psp.respond(...responses.account);
        expect(await adapter.ping(context())).toEqual({
          accountName: isMissing('account_name') ? null : dialect.accountName,
        });
      },
    );
  });

  describe.each(operations)('a failed call in %s', (_, run) => {
    it('throws PspNotSent when the connection is refused, and when no time is left', async () => {
      for (const psp of [context(5_000, 'http://127.0.0.1:1'), context(0)]) {
        const error = await errorOf(run(psp));
        expect(error).toBeInstanceOf(PspNotSent);
        expect(error).toMatchObject({ reason: 'unreachable' });
        expectNoLeak(error);
      }
    });

    it('throws PspNotSent with the time to wait when the PSP limits our calls', async () => {
      psp.respond({
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: { type: 'invalid_request_error', code: 'rate_limit' } },
      });
      const error = await errorOf(run(context()));
      expect(error).toBeInstanceOf(PspNotSent);
      expect(error).toMatchObject({ reason: 'rate_limited', retryAfter: 7 });
    });

    it.each<[string, CannedResponse]>([
      ['no response comes in time', 'hang'],
      ['the connection ends before a response', 'cut'],
      ['the connection ends within the response', 'cut_in_body'],
      ['the PSP fails', { status: 500, body: { error: { type: 'api_error', message: 'canary' } } }],
      ['a proxy responds', { status: 502, body: '<html>Bad gateway</html>' }],
      ['the response is a page', { body: '<html>Welcome</html>' }],
      ['the response is empty', { body: '' }],
      ['the response is truncated JSON', { body: '{"id": "pi_1", "status": "succ' }],
      ['the response is another object', { body: { hello: 'world' } }],
      ['the response is a list', { body: [] }],
      ['the response is null', { body: 'null' }],
      ['a refusal is unreadable', { status: 402, body: '<html>Payment required</html>' }],
      ['a refusal has no reason', { status: 402, body: { ok: false } }],
      ['the response is a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} }],
    ])('throws PspOutcomeUnknown when %s', async (_, answer) => {
      psp.respond(answer);
      const error = await errorOf(run(context(answer === 'hang' ? 200 : 5_000)));
      expect(error).toBeInstanceOf(PspOutcomeUnknown);
      expectNoLeak(error);
    });

    it('throws PspRefused for wrong credentials, and reveals none', async () => {
      psp.respond(responses.badCredentials);
      const error = await errorOf(run(context()));
      expect(error).toBeInstanceOf(PspRefused);
      expect(error).toMatchObject({ kind: 'credentials' });
      expectNoLeak(error);
    });
  });

  it.each((['fetch', 'fetch_refund', 'cancel'] as const).filter((name) => !missing[name]))(
    'throws PspRefused of kind not_found in %s for what the PSP does not know',
    async (operation) => {
      psp.respond(responses.notFound);
      expect(await errorOf(OPERATIONS[operation](context()))).toMatchObject({ name: 'PspRefused', kind: 'not_found' });
    },
  );

  it('reveals nothing of malformed credentials', () => {
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

  if (dialect.capture)
    describeCaptures(dialect.capture, {
      adapter,
      order,
      euro,
      threeEuros: (dialect.fiveEurosSent ?? '500').replace('5', '3'),
      respond: (...next) => psp.respond(...next),
      requests,
      amountIn: dialect.amountIn,
      idempotencyFields: dialect.idempotencyFields,
      context,
      errorOf,
    });

  more({ respond: (...next) => psp.respond(...next), requests, context, order, errorOf });

  it('puts no credential or token into a URL', () => {
    for (const { path, query } of psp.received) expectNoLeak(`${path}?${query}`);
  });

  describe.runIf(specsThere || inCi)('the API document of the PSP', () => {
    it('allows every request that was sent', () => {
      const check = dialect.check();
      console.info(`${adapter.provider}: ${psp.received.length} requests checked`);
      expect(psp.received.length).toBeGreaterThan(0);
      expect(psp.received.flatMap(check)).toEqual([]);
    });
  });
  if (!specsThere && !inCi)
    it.skip('sends only requests that the API document allows (skipped: ../shared/psp-specs is missing)', () => {});
}
