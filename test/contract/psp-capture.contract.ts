import { describe, expect, it } from 'vitest';
import type { CaptureOrder, PspAuthorization } from '#shared/ports/capture.port.ts';
import type { ChargeOrder, PspAdapter, PspContext } from '#shared/ports/psp.port.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';

type Money = { readonly amount: number; readonly currency: string; readonly sent: string };

type CaptureState = 'succeeded' | 'accepted' | 'failed';

/** How a PSP authorizes now and captures later, as its documentation describes it. */
export type CaptureDialect = {
  /** The charge's reference, once it is authorized. */
  readonly reference: string;
  readonly captureReference: string;
  /** The field of a request for a charge that decides when its money is captured. */
  readonly modeIn: (request: ReceivedRequest) => unknown;
  /** Its values for charges that are captured later: with a token, and on a page. */
  readonly modes: { readonly token: unknown; readonly page: unknown };
  readonly authorized: (money: Money) => readonly CannedResponse[];
  readonly captured: (money: Money, state: CaptureState) => readonly CannedResponse[];
  /** The states that a capture's response tells. */
  readonly states: readonly CaptureState[];
  /** Responses to a look-up of 5 EUR, of which `captured` cents are taken. Missing if there is no look-up. */
  readonly lookedUp?: (state: PspAuthorization['state'], captured: number) => readonly CannedResponse[];
  /** Whether a capture that is not the last one says so, in its request. */
  readonly isFinalIn?: (request: ReceivedRequest) => boolean;
  readonly released: readonly CannedResponse[];
  readonly releaseOutcome: 'canceled' | 'accepted';
  readonly releasedTooLate: readonly CannedResponse[];
};

export const CAPTURE_ID = 'cap_01jc0000000000000000000001';

export const captureOrderOf = (order: ChargeOrder, reference: string): CaptureOrder => ({
  paymentId: order.paymentId,
  captureId: CAPTURE_ID,
  reference,
  amount: 300,
  currency: 'EUR',
  authorized: 500,
  final: true,
  metadata: order.metadata,
  sentAt: order.startedAt,
});

type Bench<C> = {
  readonly adapter: PspAdapter<C>;
  readonly order: ChargeOrder;
  readonly euro: Money;
  /** How the PSP writes 3 EUR. */
  readonly threeEuros: string;
  readonly respond: (...responses: readonly CannedResponse[]) => void;
  readonly requests: () => readonly ReceivedRequest[];
  readonly amountIn: (request: ReceivedRequest) => string | undefined;
  readonly idempotencyFields: (request: ReceivedRequest) => unknown;
  readonly context: () => PspContext<C>;
  readonly errorOf: (call: Promise<unknown>) => Promise<unknown>;
};

const sendsOf = (requests: readonly ReceivedRequest[]) => requests.filter(({ method }) => method !== 'GET');

export function describeCaptures<C>(dialect: CaptureDialect, bench: Bench<C>): void {
  const { adapter, order, requests, context, respond, errorOf, euro } = bench;
  const { paymentId, attemptId } = order;
  const { reference } = dialect;
  const later: ChargeOrder = { ...order, capture: 'manual' };
  const charge = { reference, paymentId, attemptId, mayCapture: true, manual: true } as const;
  const captureOrder = captureOrderOf(order, reference);
  const money = { amount: 300, currency: 'EUR', sent: bench.threeEuros };
  const capture = async (more: Partial<CaptureOrder> = {}) =>
    adapter.capture?.({ ...captureOrder, ...more }, context());

  describe('PspAdapter.create with a later capture', () => {
    it('is offered for methods that the PSP has, and for some time', () => {
      const { methods, validityMs } = adapter.manualCapture ?? { methods: [], validityMs: 0 };
      expect(methods.length).toBeGreaterThan(0);
      expect(adapter.capabilities.methods).toEqual(expect.arrayContaining([...methods]));
      expect(validityMs).toBeGreaterThanOrEqual(24 * 3_600_000);
    });

    it('asks for an authorization only, and reports what the PSP reserved', async () => {
      respond(...dialect.authorized(euro));
      const outcome = await adapter.create({ ...later, amount: euro.amount + 1 }, context());
      expect(outcome).toMatchObject({ kind: 'authorized', reference, amount: euro.amount, currency: euro.currency });
      expect(sendsOf(requests()).map(dialect.modeIn)).toEqual([dialect.modes.token]);
    });

    it('asks for it on a page of the PSP, too', async () => {
      respond('cut');
      await errorOf(adapter.create({ ...later, paymentMethod: { type: 'card' } }, context()));
      expect(dialect.modeIn(sendsOf(requests())[0]!)).toEqual(dialect.modes.page);
    });

    it('differs from a charge that is captured at once in nothing that such a charge sends', async () => {
      respond('cut');
      await errorOf(adapter.create(order, context()));
      expect(dialect.modeIn(sendsOf(requests())[0]!)).not.toEqual(dialect.modes.token);
    });

    if (dialect.lookedUp)
      it('is looked up without being captured', async () => {
        respond(...dialect.authorized(euro));
        expect(await adapter.fetch(charge, context())).toMatchObject({ kind: 'authorized', amount: euro.amount });
        expect(sendsOf(requests())).toEqual([]);
      });
  });

  describe('PspAdapter.capture', () => {
    it.each(dialect.states)('reports a capture of a part as %s when the PSP does', async (state) => {
      respond(...dialect.captured(money, state));
      expect(await capture()).toMatchObject(
        state === 'failed' ? { kind: state, decline: {} } : { kind: state, reference: dialect.captureReference },
      );
      expect(sendsOf(requests()).map(bench.amountIn)).toEqual([bench.threeEuros]);
    });

    it('sends the same call under our id when it is repeated at once', async () => {
      for (const _ of ['once', 'again']) {
        respond(...dialect.captured(money, dialect.states[0]!));
        await capture();
      }
      const [once, again] = sendsOf(requests()).map(bench.idempotencyFields);
      expect(again).toEqual(once);
      expect(JSON.stringify(once)).toContain(CAPTURE_ID);
    });

    if (dialect.isFinalIn)
      it('says whether the rest is released', async () => {
        for (const final of [true, false]) {
          respond(...dialect.captured(money, dialect.states[0]!));
          await capture({ final });
        }
        expect(sendsOf(requests()).map((request) => dialect.isFinalIn?.(request))).toEqual([true, false]);
      });

    it('sends nothing for an amount that the PSP cannot express', async () => {
      respond(...dialect.captured(money, dialect.states[0]!));
      expect(await errorOf(capture({ currency: 'XXX' }))).toMatchObject({ name: 'PspRefused' });
      expect(sendsOf(requests())).toEqual([]);
    });
  });

  if (dialect.lookedUp) describeLookUp(dialect.lookedUp, bench, charge);
  else
    it('has no look-up of authorizations: its events tell', () => expect(adapter.fetchAuthorization).toBeUndefined());

  describe('PspAdapter.cancel of an authorized charge', () => {
    it('releases the money', async () => {
      respond(...dialect.released);
      expect(await adapter.cancel(charge, context())).toMatchObject({ kind: dialect.releaseOutcome, reference });
    });

    it('is refused when the money is taken', async () => {
      respond(...dialect.releasedTooLate);
      expect(await errorOf(adapter.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
    });
  });
}

function describeLookUp<C>(
  lookedUp: NonNullable<CaptureDialect['lookedUp']>,
  { adapter, context, respond }: Bench<C>,
  charge: Parameters<NonNullable<PspAdapter<C>['fetchAuthorization']>>[0],
): void {
  describe('PspAdapter.fetchAuthorization', () => {
    it.each([
      ['open', 0],
      ['closed', 300],
      ['closed', 500],
      ['canceled', 0],
      ['expired', 0],
    ] as const)('tells an authorization that is %s with %i cents captured', async (state, captured) => {
      respond(...lookedUp(state, captured));
      const found = await adapter.fetchAuthorization?.(charge, context());
      expect(found).toMatchObject({ authorized: 500, captured, currency: 'EUR', state });
    });

    it('names our capture by our id, and what others captured by none', async () => {
      respond(...lookedUp('closed', 300));
      const found = await adapter.fetchAuthorization?.(charge, context());
      expect(found?.captures).toMatchObject([{ kind: 'succeeded', amount: 300, currency: 'EUR', ourId: CAPTURE_ID }]);
      respond(...lookedUp('closed', 500));
      const foreign = (await adapter.fetchAuthorization?.(charge, context()))?.captures?.filter(
        ({ ourId }) => ourId !== CAPTURE_ID,
      );
      expect(foreign).toMatchObject([{ amount: 200, ourId: null }]);
    });
  });
}
