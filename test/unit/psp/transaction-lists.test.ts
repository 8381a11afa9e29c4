import { describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  type PspAdapter,
  type PspContext,
  PspOutcomeUnknown,
  type PspRequest,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import { ourIdsIn } from '#shared/psp/kit/transactions.ts';
import { PSPS } from '#shared/psp/providers.ts';
import { TRANSACTION_LISTS } from '#shared/psp/transaction-lists.ts';

const IDS = {
  org_id: 'org_01jc0000000000000000000001',
  connection_id: 'conn_01jc0000000000000000000001',
  payment_id: 'pay_01jc0000000000000000000001',
};
const ATTEMPT = 'att_01jc0000000000000000000001';
const RANGE = { from: new Date('2027-03-01T00:00:00Z'), until: new Date('2027-03-02T00:00:00Z') };
const AT = '2027-03-01T12:00:00.000Z';
const SECOND = Date.parse(AT) / 1_000;

type Case = {
  /** Responses by a part of the path that they are for. */
  readonly charges: readonly (readonly [path: string, body: unknown])[];
  readonly refunds: readonly (readonly [path: string, body: unknown])[];
  readonly charge: object;
  readonly refundOf: string;
};

const CASES: Readonly<Record<string, Case>> = {
  stripe: {
    charges: [
      [
        `/v1/payment_intents?created[gte]=${SECOND - 43_200}&created[lt]=${SECOND + 43_200}&limit=100`,
        {
          object: 'list',
          has_more: false,
          data: [
            {
              id: 'pi_1',
              object: 'payment_intent',
              amount: 500,
              currency: 'eur',
              created: SECOND,
              metadata: IDS,
              description: 'Invoice AB-1',
            },
            {
              id: 'pi_2',
              object: 'payment_intent',
              amount: 100,
              currency: 'eur',
              created: SECOND,
              metadata: {},
              description: null,
            },
          ],
        },
      ],
    ],
    refunds: [
      [
        '/v1/refunds?',
        {
          object: 'list',
          has_more: false,
          data: [{ id: 're_1', payment_intent: 'pi_1', created: SECOND, metadata: IDS }],
        },
      ],
    ],
    charge: {
      reference: 'pi_1',
      ids: IDS,
      money: { amount: 500, currency: 'EUR' },
      description: 'Invoice AB-1',
      at: AT,
    },
    refundOf: 'pi_1',
  },
  mollie: {
    charges: [
      [
        '/v2/payments?limit=250',
        {
          count: 2,
          _embedded: {
            payments: [
              {
                id: 'tr_1',
                amount: { value: '5.00', currency: 'EUR' },
                createdAt: '2027-03-01T12:00:00+00:00',
                metadata: IDS,
              },
              {
                id: 'tr_0',
                amount: { value: '1.00', currency: 'EUR' },
                createdAt: '2027-02-28T12:00:00+00:00',
                metadata: null,
              },
            ],
          },
          _links: { next: { href: 'https://api.mollie.com/v2/payments?from=tr_older&limit=250' } },
        },
      ],
    ],
    refunds: [
      [
        '/v2/refunds?limit=250',
        {
          count: 1,
          _embedded: { refunds: [{ id: 're_1', paymentId: 'tr_1', createdAt: '2027-03-01T12:00:00+00:00' }] },
          _links: { next: null },
        },
      ],
    ],
    charge: { reference: 'tr_1', ids: IDS, money: { amount: 500, currency: 'EUR' }, at: AT },
    refundOf: 'tr_1',
  },
  paystack: {
    charges: [
      [
        '/transaction?perPage=100&page=1&from=2027-02-28&to=2027-03-03',
        {
          status: true,
          message: 'Transactions retrieved',
          data: [
            {
              id: 1,
              reference: 'att-01jc0000000000000000000001',
              amount: 500,
              currency: 'NGN',
              metadata: JSON.stringify(IDS),
              createdAt: AT,
            },
            {
              id: 2,
              reference: 'of-the-shop',
              amount: 500,
              currency: 'NGN',
              metadata: 0,
              created_at: '2027-02-28T12:00:00.000Z',
            },
          ],
        },
      ],
    ],
    refunds: [
      ['/refund?', { status: true, message: 'ok', data: [{ id: 9, transaction: 1, createdAt: AT }] }],
      ['/transaction/1', { status: true, message: 'ok', data: { reference: 'att-01jc0000000000000000000001' } }],
    ],
    charge: {
      reference: 'att-01jc0000000000000000000001',
      ids: IDS,
      attemptId: ATTEMPT,
      money: { amount: 500, currency: 'NGN' },
      at: AT,
    },
    refundOf: 'att-01jc0000000000000000000001',
  },
  flutterwave: {
    charges: [
      [
        '/v3/transactions?from=2027-02-28&to=2027-03-03&page=1',
        {
          status: 'success',
          message: 'Transactions fetched',
          meta: { page_info: { total: 1, current_page: 1, total_pages: 1 } },
          data: [{ id: '77', tx_ref: ATTEMPT, amount: 5, currency: 'NGN', status: 'successful', created_at: AT }],
        },
      ],
      [
        '/v3/transactions/77/verify',
        { status: 'success', message: 'ok', data: { id: 77, tx_ref: ATTEMPT, status: 'successful', meta: IDS } },
      ],
    ],
    refunds: [
      [
        '/v3/refunds?',
        { status: 'success', message: 'ok', data: [{ id: 5, tx_id: 77, status: 'completed', created_at: AT }] },
      ],
    ],
    charge: { reference: '77', ids: IDS, attemptId: ATTEMPT, money: { amount: 500, currency: 'NGN' }, at: AT },
    refundOf: '77',
  },
  razorpay: {
    charges: [
      [
        `/v1/payments?from=${SECOND - 43_200}&to=${SECOND + 43_199}&count=100&skip=0`,
        {
          entity: 'collection',
          count: 1,
          items: [
            {
              id: 'pay_1',
              entity: 'payment',
              amount: 500,
              currency: 'INR',
              status: 'captured',
              order_id: 'order_1',
              notes: [],
              created_at: SECOND,
            },
          ],
        },
      ],
      ['/v1/orders/order_1', { id: 'order_1', entity: 'order', status: 'paid', receipt: ATTEMPT, notes: IDS }],
    ],
    refunds: [
      [
        '/v1/refunds?',
        {
          entity: 'collection',
          count: 1,
          items: [{ id: 'rfnd_1', payment_id: 'pay_1', created_at: SECOND, notes: [] }],
        },
      ],
    ],
    charge: { reference: 'pay_1', ids: IDS, attemptId: ATTEMPT, money: { amount: 500, currency: 'INR' }, at: AT },
    refundOf: 'pay_1',
  },
  paypal: {
    charges: [
      ['/v1/oauth2/token', { access_token: 'A21', expires_in: 3_600 }],
      [
        '/v1/reporting/transactions?start_date=2027-03-01T00%3A00%3A00.000Z',
        {
          transaction_details: [
            {
              transaction_info: {
                transaction_id: 'CAPTURE1',
                paypal_reference_id: 'ORDER1',
                paypal_reference_id_type: 'ODR',
                transaction_event_code: 'T0006',
                transaction_initiation_date: '2027-03-01T12:00:00+0000',
                transaction_amount: { currency_code: 'EUR', value: '5.00' },
                custom_field: Object.values(IDS).join('|'),
                invoice_id: ATTEMPT,
              },
            },
            {
              transaction_info: {
                transaction_id: 'REFUND1',
                paypal_reference_id: 'CAPTURE1',
                transaction_event_code: 'T1107',
                transaction_initiation_date: '2027-03-01T12:00:00+0000',
                transaction_amount: { currency_code: 'EUR', value: '-5.00' },
              },
            },
          ],
          total_pages: 1,
        },
      ],
    ],
    refunds: [],
    charge: { reference: 'CAPTURE1', ids: IDS, attemptId: ATTEMPT, money: { amount: 500, currency: 'EUR' }, at: AT },
    refundOf: 'CAPTURE1',
  },
  checkout: {
    charges: [
      [
        '/payments/search',
        {
          data: [
            {
              id: 'pay_1',
              status: 'Captured',
              amount: 500,
              currency: 'EUR',
              reference: ATTEMPT,
              metadata: IDS,
              requested_on: '2027-03-01T12:00:00Z',
            },
          ],
        },
      ],
    ],
    refunds: [],
    charge: { reference: 'pay_1', ids: IDS, attemptId: ATTEMPT, money: { amount: 500, currency: 'EUR' }, at: AT },
    refundOf: 'pay_1',
  },
};

const adapterOf = async (provider: string): Promise<PspAdapter> => {
  const psp = Object.values(PSPS).find((each) => each.provider === provider);
  if (!psp) throw new Error(`There is no provider ${provider}.`);
  return psp.load();
};

async function list(
  provider: string,
  query: Partial<TransactionQuery>,
  responses: Case['charges'],
): Promise<{ readonly page: TransactionPage | undefined; readonly requests: readonly PspRequest[] }> {
  const adapter = await adapterOf(provider);
  const parsed = adapter.parseCredentials(randomCredentials(provider, 'sandbox'));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const requests: PspRequest[] = [];
  const send: PspContext<unknown>['send'] = async (request) => {
    requests.push(request);
    const found = responses.find(([path]) => request.path.startsWith(path));
    return { status: found ? 200 : 404, headers: {}, text: JSON.stringify(found?.[1] ?? {}) };
  };
  const context = { credentials: parsed.credentials, send, now: () => new Date(AT), rootCertificates: () => [] };
  const page = await TRANSACTION_LISTS[provider]?.({ kind: 'charge', ...RANGE, ...query }, context);
  return { page, requests };
}

describe.each(Object.entries(CASES))('the list of %s', (provider, { charges, refunds, charge, refundOf }) => {
  it('names the charges of the time, with our ids and what they asked for', async () => {
    const { page, requests } = await list(provider, {}, charges);
    expect(page?.items[0]).toMatchObject(charge);
    expect(requests.filter(({ operation }) => operation !== 'list' && operation !== 'authenticate')).toEqual([]);
    const reading = requests.filter(({ method, path }) => method !== 'GET' && !/search|oauth2/.test(path));
    expect(reading).toEqual([]);
  });

  it('names the charge of each refund of the time', async () => {
    const { page } = await list(provider, { kind: 'refund' }, refunds.length > 0 ? refunds : charges);
    expect(page?.items.map(({ reference }) => reference)).toEqual([refundOf]);
  });

  it('is refused rather than shortened, if it is not understood', async () => {
    const nonsense = charges.map(([path, body]) =>
      /oauth2/.test(path) ? ([path, body] as const) : ([path, { status: true, message: '', data: [{}] }] as const),
    );
    await expect(list(provider, {}, nonsense)).rejects.toBeInstanceOf(PspOutcomeUnknown);
  });
});

describe('a list of several pages', () => {
  const intent = (id: string) => ({ id, amount: 500, currency: 'eur', created: SECOND, metadata: IDS });

  it('continues after the last charge of the page before', async () => {
    const first = await list('stripe', {}, [['/v1/payment_intents', { data: [intent('pi_1')], has_more: true }]]);
    expect(first.page?.next).toBe('pi_1');
    const second = await list('stripe', { cursor: 'pi_1' }, [['/v1/payment_intents', { data: [], has_more: false }]]);
    expect(second.requests[0]?.path).toContain('&starting_after=pi_1');
    expect(second.page).toEqual({ items: [], next: undefined });
  });

  it.each(['paystack', 'razorpay', 'flutterwave'])('of %s is read until a page is empty', async (provider) => {
    const [[path, body] = ['', {}], ...others] = CASES[provider]?.charges ?? [];
    const withoutNumber = { ...Object(body), meta: undefined };
    const first = await list(provider, {}, [[path, withoutNumber], ...others]);
    expect(first.page?.next).toBeDefined();
    const empty = { ...withoutNumber, data: [], items: [] };
    const cursor = first.page?.next ?? '';
    const second = await list(provider, { cursor }, [[path.slice(0, path.indexOf('?')), empty]]);
    expect(second.page).toEqual({ items: [], next: undefined });
  });

  it('of Mollie ends where it is older than the time, as Mollie filters by none', async () => {
    expect((await list('mollie', {}, CASES.mollie?.charges ?? [])).page).toMatchObject({
      items: [{}],
      next: undefined,
    });
  });

  it('of PayPal is read in ranges of 31 days, as PayPal refuses longer ones', async () => {
    const until = new Date('2027-04-15T00:00:00Z');
    const { page, requests } = await list('paypal', { until }, CASES.paypal?.charges ?? []);
    expect(requests.at(-1)?.path).toContain('end_date=2027-04-01T00%3A00%3A00.000Z');
    expect(page?.next).toBe('2027-04-01T00:00:00.000Z/1');
    const rest = await list('paypal', { until, cursor: page?.next ?? '' }, [
      ['/v1/oauth2/token', { access_token: 'A21', expires_in: 3_600 }],
      ['/v1/reporting/transactions', { transaction_details: [], total_pages: 1 }],
    ]);
    expect(rest.page?.next).toBeUndefined();
  });

  it('of Checkout.com that cannot be read further is refused', async () => {
    const payment = { id: 'pay_1', status: 'Captured', requested_on: RANGE.until.toISOString(), metadata: IDS };
    const full: Case['charges'] = [['/payments/search', { data: Array.from({ length: 1_000 }, () => payment) }]];
    await expect(list('checkout', {}, full)).rejects.toBeInstanceOf(PspOutcomeUnknown);
  });
});

it('Adyen has no list, and says what to read instead', async () => {
  const adyen = await adapterOf('adyen');
  expect([TRANSACTION_LISTS.adyen, adyen.noTransactionList]).toEqual([undefined, expect.stringContaining('report')]);
});

it.each([
  ['nothing', undefined],
  ['a text that is not JSON', 'hello'],
  ['numbers', { payment_id: 7 }],
  ['the empty list that Razorpay shows for no notes', []],
])('reads no ids from %s', (_, metadata) => expect(ourIdsIn(metadata)).toEqual({}));

it('every provider has a list, or says why it has none', () => {
  const silent = Object.values(PSPS).filter(
    ({ provider, noTransactionList }) =>
      (TRANSACTION_LISTS[provider] === undefined) !== (noTransactionList !== undefined),
  );
  expect(silent.map(({ provider }) => provider)).toEqual([]);
});
