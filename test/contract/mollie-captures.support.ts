import { describe, expect, it } from 'vitest';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { mollie } from '#shared/psp/mollie/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import type { Bench } from '#test/contract/psp.contract.ts';
import captureFixture from '#test/fixtures/mollie/capture-pending.json' with { type: 'json' };
import openPayment from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };

type Credentials = Parameters<typeof mollie.ping>[0]['credentials'];
type Fields = Readonly<Record<string, unknown>>;

const OURS = 'cap_01jc0000000000000000000001';
const UNTIL = '2026-06-12T13:06:22+00:00';
const { expiresAt: _, isCancelable: __, ...settled } = openPayment;

const bodyOf = ({ body }: ReceivedRequest): Fields => (body === '' ? {} : JSON.parse(body));
const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(
    ({ method, path, query }) => `${method} ${path.replace(/tr_\w+/, 'tr')}${query.size ? `?${query}` : ''}`,
  );
const aCapture = (status: string, fields: Fields = {}): Fields => ({
  ...captureFixture,
  status,
  amount: { value: '5.00', currency: 'EUR' },
  metadata: { capture_id: OURS, final: true },
  ...fields,
});
const taken = (capture: Fields): CannedResponse => ({ status: 201, body: capture });

/** What Mollie's documents say of charges that are captured later. */
export const describeMollieCaptures = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const manual: ChargeOrder = { ...order, capture: 'manual' };
  const charge = { reference: openPayment.id, paymentId, attemptId, mayCapture: true, manual: true } as const;
  const held = (fields: Fields = {}, ...captures: readonly Fields[]): CannedResponse => ({
    body: {
      ...settled,
      metadata,
      amount: { value: '10.99', currency: 'EUR' },
      status: 'authorized',
      captureMode: 'manual',
      authorizedAt: '2026-06-05T13:06:22+00:00',
      captureBefore: UNTIL,
      _embedded: { captures },
      ...fields,
    },
  });
  const authorized = {
    kind: 'authorized',
    reference: openPayment.id,
    amount: 1099,
    currency: 'EUR',
    capturable_until: '2026-06-12T13:06:22.000Z',
  };
  const captureOrder: CaptureOrder = {
    paymentId,
    captureId: OURS,
    reference: openPayment.id,
    amount: 1099,
    currency: 'EUR',
    authorized: 1099,
    final: true,
    metadata,
  };
  const part: CaptureOrder = { ...captureOrder, amount: 500 };
  const declined = (reference: string | null, code: 'capture_declined' | 'authorization_expired') => ({
    kind: 'failed',
    reference,
    decline: declineOf(code),
  });
  const refused = { status: 422, body: { status: 422, title: 'Unprocessable Entity', detail: 'No.' } };

  describe('the Mollie adapter on charges that are captured later', () => {
    it('asks Mollie to hold the money, and takes none of it in any look-up', async () => {
      respond(held());
      expect(await mollie.create(manual, context())).toEqual(authorized);
      expect(bodyOf(requests()[0]!)).toMatchObject({ captureMode: 'manual' });
      respond(held());
      expect(await mollie.confirm({ reference: openPayment.id, order: manual, input: {} }, context())).toEqual(
        authorized,
      );
      respond(held());
      expect(await mollie.fetch(charge, context())).toEqual(authorized);
      respond(held({ _embedded: { refunds: [] } }));
      expect((await mollie.fetchWithRefunds?.(charge, context()))?.outcome).toEqual(authorized);
      expect(paths(requests()).filter((path) => path.startsWith('POST'))).toEqual(['POST /v2/payments']);
    });

    it('still says authorized of a payment that was captured since, with what was held', async () => {
      respond(held({ status: 'paid', amountCaptured: { value: '5.00', currency: 'EUR' } }));
      expect(await mollie.fetch(charge, context())).toEqual(authorized);
    });

    it('sends no charge of a method that Mollie cannot hold', async () => {
      expect(
        await errorOf(mollie.create({ ...manual, method: 'ideal', paymentMethod: { type: 'ideal' } }, context())),
      ).toMatchObject({
        name: 'PspRefused',
        failure: 'method_not_supported',
      });
      expect(requests()).toEqual([]);
    });

    it('captures the amount under our key, with our ids, and releases nothing after the whole', async () => {
      respond(taken(aCapture('succeeded')));
      expect(await mollie.capture?.(captureOrder, context())).toEqual({
        kind: 'succeeded',
        reference: captureFixture.id,
      });
      expect(paths(requests())).toEqual(['POST /v2/payments/tr/captures']);
      expect(requests()[0]!.headers).toMatchObject({ 'idempotency-key': OURS });
      expect(bodyOf(requests()[0]!)).toEqual({
        amount: { value: '10.99', currency: 'EUR' },
        metadata: { ...metadata, capture_id: OURS, final: true },
      });
    });

    it.each<[string, CannedResponse]>([
      ['releases it', { status: 202, body: '' }],
      ['holds nothing any more', refused],
    ])('asks Mollie to release the rest of a final capture of a part, and succeeds when it %s', async (_, reply) => {
      respond(taken(aCapture('succeeded')), reply);
      expect(await mollie.capture?.(part, context())).toMatchObject({ kind: 'succeeded' });
      expect(paths(requests())).toEqual([
        'POST /v2/payments/tr/captures',
        'POST /v2/payments/tr/release-authorization',
      ]);
    });

    it.each<[string, CannedResponse]>([
      ['gets no response', 'cut'],
      ['comes too fast', { status: 429, body: refused.body }],
    ])('leaves the capture unknown when the release %s, and its repeat releases again', async (_, reply) => {
      respond(taken(aCapture('succeeded')), reply);
      expect(await errorOf(mollie.capture!(part, context()))).toBeInstanceOf(PspOutcomeUnknown);
      respond(held({}, aCapture('succeeded')), { status: 202, body: '' });
      expect(await mollie.capture?.({ ...part, isRepeat: true }, context())).toMatchObject({ kind: 'succeeded' });
      expect(paths(requests()).slice(2)).toEqual([
        'GET /v2/payments/tr?embed=captures',
        'POST /v2/payments/tr/release-authorization',
      ]);
    });

    it('keeps the rest held after a capture that is not final', async () => {
      respond(taken(aCapture('succeeded')));
      await mollie.capture?.({ ...part, final: false }, context());
      expect(bodyOf(requests()[0]!).metadata).toEqual({ ...metadata, capture_id: OURS });
      expect(requests().length).toBe(1);
    });

    it.each<[string, object]>([
      ['pending', { kind: 'accepted', reference: captureFixture.id }],
      ['a_status_of_the_future', { kind: 'accepted', reference: captureFixture.id }],
      ['failed', declined(captureFixture.id, 'capture_declined')],
    ])('reports a capture that is %s', async (status, outcome) => {
      respond(taken(aCapture(status)));
      expect(await mollie.capture?.(part, context())).toEqual(outcome);
      expect(requests().length).toBe(1);
    });

    it.each<[string, Fields]>([
      ['as an object', {}],
      ['as a text', { metadata: JSON.stringify({ capture_id: OURS }) }],
    ])('finds its first send before it repeats a capture, with its metadata %s', async (_, fields) => {
      const foreign = aCapture('succeeded', { id: 'cpt_other', metadata: null });
      respond(held({}, foreign, aCapture('pending', fields)));
      expect(await mollie.capture?.({ ...captureOrder, isRepeat: true }, context())).toMatchObject({
        kind: 'accepted',
      });
      expect(paths(requests())).toEqual(['GET /v2/payments/tr?embed=captures']);
    });

    it('sends a repeat whose first send never arrived', async () => {
      respond(held(), taken(aCapture('succeeded')));
      expect(await mollie.capture?.({ ...captureOrder, isRepeat: true }, context())).toMatchObject({
        kind: 'succeeded',
      });
    });

    it.each<[string, CannedResponse, object]>([
      ['our own earlier send took it', held({ status: 'paid' }, aCapture('succeeded')), { kind: 'succeeded' }],
      ['the dashboard took it', held({ status: 'paid' }), declined(null, 'capture_declined')],
      ['the hold was released', held({ status: 'canceled' }), declined(null, 'capture_declined')],
      ['the hold has expired', held({ status: 'expired' }), declined(null, 'authorization_expired')],
      ['the bank refuses late captures', held({ status: 'failed' }), declined(null, 'authorization_expired')],
    ])('lets the payment decide about a refused capture: %s', async (_, reply, outcome) => {
      respond(refused, reply);
      expect(await mollie.capture?.(captureOrder, context())).toMatchObject(outcome);
    });

    it('leaves a refused capture unknown while the payment cannot be read', async () => {
      respond(refused, 'cut');
      expect(await errorOf(mollie.capture!(captureOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });
  });

  describe('the Mollie adapter on what is held', () => {
    const amounts = (value: string) => ({ amountCaptured: { value, currency: 'EUR' } });
    const ours = { kind: 'succeeded', reference: captureFixture.id, amount: 500, currency: 'EUR', ourId: OURS };
    const theirs = { ...ours, reference: 'cpt_other', ourId: null };
    const foreign = aCapture('succeeded', { id: 'cpt_other', metadata: 'by phone' });

    it.each<[string, CannedResponse, object]>([
      ['nothing captured', held(), { state: 'open', captured: 0, captures: [] }],
      [
        'two captures, of which one is none of ours',
        held(amounts('10.00'), aCapture('succeeded', { metadata: { capture_id: OURS } }), foreign),
        { state: 'open', captured: 1000, captures: [ours, theirs] },
      ],
      [
        'a capture that failed and one that is pending',
        held({}, aCapture('failed'), aCapture('pending')),
        { state: 'open', captured: 0 },
      ],
      [
        'a part captured and the rest released',
        held({ status: 'paid', ...amounts('5.00') }, foreign),
        { state: 'closed', captured: 500, captures: [theirs] },
      ],
      [
        'an account that captures at once',
        held({ status: 'paid' }),
        {
          state: 'closed',
          captured: 1099,
          captures: [{ ...theirs, reference: openPayment.id, amount: 1099 }],
        },
      ],
      [
        'a captured amount of which Mollie lists a part, and a part is pending',
        held(amounts('9.00'), foreign, aCapture('pending', { amount: { value: '1.00', currency: 'EUR' } })),
        { state: 'open', captured: 800, captures: [theirs, {}, { ...theirs, reference: openPayment.id, amount: 300 }] },
      ],
      ['a release', held({ status: 'canceled' }), { state: 'canceled', captured: 0 }],
      ['a hold that has expired', held({ status: 'expired' }), { state: 'expired', captured: 0 }],
      ['a late capture that the bank declined', held({ status: 'failed' }), { state: 'expired', captured: 0 }],
    ])('reads %s', async (_, reply, expected) => {
      respond(reply);
      expect(await mollie.fetchAuthorization?.(charge, context())).toMatchObject({
        reference: openPayment.id,
        authorized: 1099,
        currency: 'EUR',
        capturable_until: authorized.capturable_until,
        ...expected,
      });
      expect(paths(requests())).toEqual(['GET /v2/payments/tr?embed=captures']);
    });

    it('releases the rest once a final capture, which was pending, has succeeded', async () => {
      respond(held(amounts('5.00'), aCapture('succeeded')), { status: 202, body: '' });
      expect(await mollie.fetchAuthorization?.(charge, context())).toMatchObject({ state: 'open', captured: 500 });
      expect(paths(requests())[1]).toBe('POST /v2/payments/tr/release-authorization');
    });

    it('releases nothing while another capture is pending', async () => {
      respond(held(amounts('5.00'), aCapture('succeeded'), aCapture('pending', { id: 'cpt_other' })));
      await mollie.fetchAuthorization?.(charge, context());
      expect(requests().length).toBe(1);
    });

    it('lists the captures that Mollie does not embed, on every page', async () => {
      const link = { href: 'https://api.mollie.com/v2/payments/tr_1/captures?from=cpt_other&limit=250', type: 'x' };
      const page = (captures: readonly Fields[], next: object | null): CannedResponse => ({
        body: { count: captures.length, _embedded: { captures }, _links: { next } },
      });
      respond(held({ _embedded: undefined }), page([foreign], link), page([aCapture('pending')], null));
      expect(await mollie.fetchAuthorization?.(charge, context())).toMatchObject({ captured: 500 });
      expect(paths(requests()).slice(1)).toEqual([
        'GET /v2/payments/tr/captures?limit=250',
        'GET /v2/payments/tr/captures?limit=250&from=cpt_other',
      ]);
    });

    it.each(['open', 'failed', 'expired'])(
      'refuses to say what is held of a payment that was never authorized: %s',
      async (status) => {
        respond(held({ status, authorizedAt: undefined }));
        expect(await errorOf(mollie.fetchAuthorization!(charge, context()))).toMatchObject({
          name: 'PspRefused',
          kind: 'state',
        });
      },
    );

    it('says that it is too late to cancel once the money is captured', async () => {
      respond(held({ status: 'paid' }));
      expect(await errorOf(mollie.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
      expect(requests().length).toBe(1);
    });
  });
};
