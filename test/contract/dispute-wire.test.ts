import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDeadline } from '#shared/kernel/clock.ts';
import type { DisputeEvidence, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { type PspContext, PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { PSPS } from '#shared/psp/providers.ts';
import {
  type CannedResponse,
  type CannedServer,
  type ReceivedRequest,
  startCannedServer,
} from '#test/contract/canned-server.ts';
import { mollieDocument } from '#test/contract/mollie-requests.support.ts';
import { inCi, nested, openApiCheck, type RequestCheck, specsThere } from '#test/contract/openapi-check.ts';

const NOW = new Date('2027-03-01T10:00:00Z');

type Call = 'fetch' | 'list' | 'listSince' | 'accept' | 'submitEvidence';

/** One PSP as its documents describe it. Responses are in the order of the adapter's calls. */
type Dialect = {
  readonly provider: string;
  readonly credentials: object;
  /** The reference of the dispute and of its charge. */
  readonly dispute: string;
  readonly charge: string;
  readonly currency?: string;
  /** The dispute as a look-up shows it, with a status of the PSP. */
  readonly shown: (status: string) => CannedResponse;
  /** The PSP's statuses → ours. */
  readonly statuses: Readonly<Record<string, PspDispute['status']>>;
  /** The requests that a call makes: method, path, and what is sent. */
  readonly requests: Partial<Record<Call, readonly (readonly [method: string, path: string, sent?: unknown])[]>>;
  /** Where the PSP's answers differ from the dispute itself. */
  readonly answers?: Partial<Record<Call, readonly CannedResponse[]>>;
  readonly responsesByPath?: Readonly<Record<string, CannedResponse>>;
  /** The PSP's own document, where it is at hand. */
  readonly check?: () => RequestCheck;
};

const EVIDENCE: DisputeEvidence = { explanation: 'It was delivered.', tracking_number: 'JD1', shipping_carrier: 'DHL' };

const EMPTY: CannedResponse = { status: 204, body: '' };

const stripeDispute = (status: string, more: object = {}): CannedResponse => ({
  body: {
    id: 'du_1',
    object: 'dispute',
    amount: 1_099,
    currency: 'eur',
    created: 1_798_000_000,
    charge: 'ch_1',
    payment_intent: 'pi_1',
    reason: 'product_not_received',
    network_reason_code: '13.1',
    status,
    evidence_details: { due_by: 1_900_000_000, has_evidence: true, past_due: false, submission_count: 1 },
    ...more,
  },
});

const DIALECTS: readonly Dialect[] = [
  {
    provider: 'stripe',
    credentials: { secret_key: 'sk_test_CANARY', webhook_secret: 'whsec_CANARY' },
    dispute: 'du_1',
    charge: 'pi_1',
    shown: stripeDispute,
    statuses: {
      warning_needs_response: 'warning',
      warning_under_review: 'warning',
      warning_closed: 'won',
      needs_response: 'needs_response',
      under_review: 'under_review',
      appeal_needs_response: 'needs_response',
      appeal_under_review: 'under_review',
      prevented: 'accepted',
      won: 'won',
      lost: 'lost',
      of_the_future: 'under_review',
    },
    requests: {
      fetch: [['GET', '/v1/disputes/du_1']],
      list: [['GET', '/v1/disputes?payment_intent=pi_1&limit=100']],
      listSince: [['GET', '/v1/disputes?created[gte]=1798711200&created[lt]=1798797600&limit=100']],
      accept: [['POST', '/v1/disputes/du_1/close', {}]],
      submitEvidence: [
        [
          'POST',
          '/v1/disputes/du_1',
          {
            evidence: {
              uncategorized_text: 'It was delivered.',
              shipping_carrier: 'DHL',
              shipping_tracking_number: 'JD1',
            },
            submit: 'true',
          },
        ],
      ],
    },
    answers: {
      list: [{ body: { object: 'list', data: [], has_more: false } }],
      listSince: [{ body: { object: 'list', data: [], has_more: false } }],
    },
  },
  {
    provider: 'adyen',
    credentials: { api_key: 'AQE_CANARY_KEY', merchant_account: 'Shop', webhook_secret: '44'.repeat(32) },
    dispute: 'QFQTPCQ8HXSKGK82',
    charge: '9913140798220028',
    shown: () => ({ body: { disputeServiceResult: { success: true } } }),
    statuses: {},
    requests: {
      accept: [
        [
          'POST',
          '/ca/services/DisputeService/v30/acceptDispute',
          { merchantAccountCode: 'Shop', disputePspReference: 'QFQTPCQ8HXSKGK82' },
        ],
      ],
    },
  },
  {
    provider: 'checkout',
    credentials: {
      secret_key: 'sk_sbox_canarycanarycanarycanary',
      processing_channel_id: `pc_${'a'.repeat(26)}`,
      host_prefix: 'demo1234',
      webhook_secret: 'CANARY_of_the_webhook',
    },
    dispute: 'dsp_1',
    charge: 'pay_1',
    shown: (status) => ({
      body: {
        id: 'dsp_1',
        category: 'product_service_not_received',
        amount: 1_099,
        currency: 'EUR',
        reason_code: '13.1',
        status,
        evidence_required_by: '2027-03-21T00:00:00Z',
        received_on: '2027-02-27T04:00:10Z',
        payment: { id: 'pay_1' },
      },
    }),
    statuses: {
      evidence_required: 'needs_response',
      evidence_under_review: 'under_review',
      resolved: 'won',
      won: 'won',
      lost: 'lost',
      canceled: 'won',
      expired: 'expired',
      accepted: 'accepted',
      arbitration_under_review: 'under_review',
      arbitration_won: 'won',
      arbitration_lost: 'lost',
      of_the_future: 'under_review',
    },
    requests: {
      fetch: [['GET', '/disputes/dsp_1']],
      list: [['GET', '/disputes?payment_id=pay_1&limit=250&skip=0']],
      listSince: [['GET', '/disputes?from=2026-12-31T10:00:00.000Z&to=2027-01-01T10:00:00.000Z&limit=250&skip=0']],
      accept: [
        ['POST', '/disputes/dsp_1/accept'],
        ['GET', '/disputes/dsp_1'],
      ],
      submitEvidence: [
        [
          'PUT',
          '/disputes/dsp_1/evidence',
          {
            additional_evidence_text: 'It was delivered.',
            proof_of_delivery_or_service_text: 'Shipping carrier: DHL\nTracking number: JD1',
          },
        ],
        ['POST', '/disputes/dsp_1/evidence'],
        ['GET', '/disputes/dsp_1'],
      ],
    },
    answers: {
      list: [{ body: { total_count: 0, data: [] } }],
      listSince: [{ body: { total_count: 0, data: [] } }],
      accept: [EMPTY],
      submitEvidence: [EMPTY, EMPTY],
    },
  },
  {
    provider: 'paypal',
    credentials: { client_id: 'ACANARYCANARYCANARY0', client_secret: 'ECANARYCANARYCANARY0', webhook_secret: 'W1' },
    dispute: 'PP-D-1',
    charge: 'CAP1',
    shown: (status) => {
      const [overall = '', outcome_code, stage = 'CHARGEBACK'] = status.split(':');
      return {
        body: {
          dispute_id: 'PP-D-1',
          status: overall,
          reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
          dispute_amount: { currency_code: 'EUR', value: '10.99' },
          dispute_life_cycle_stage: stage,
          ...(outcome_code && { dispute_outcome: { outcome_code } }),
          disputed_transactions: [{ seller_transaction_id: 'CAP1' }],
          seller_response_due_date: '2027-03-21T00:00:00.000Z',
          create_time: '2027-02-27T04:00:10.000Z',
        },
      };
    },
    statuses: {
      'OPEN::INQUIRY': 'warning',
      OPEN: 'needs_response',
      WAITING_FOR_SELLER_RESPONSE: 'needs_response',
      WAITING_FOR_BUYER_RESPONSE: 'under_review',
      UNDER_REVIEW: 'under_review',
      OTHER: 'under_review',
      'RESOLVED:RESOLVED_BUYER_FAVOUR': 'lost',
      'RESOLVED:RESOLVED_SELLER_FAVOUR': 'won',
      'RESOLVED:RESOLVED_WITH_PAYOUT': 'won',
      'RESOLVED:CANCELED_BY_BUYER': 'won',
      'RESOLVED:ACCEPTED': 'lost',
      'RESOLVED:DENIED': 'won',
      'RESOLVED:NONE': 'won',
      'RESOLVED:OF_THE_FUTURE': 'under_review',
    },
    requests: {
      fetch: [['GET', '/v1/customer/disputes/PP-D-1']],
      list: [['GET', '/v1/customer/disputes?disputed_transaction_id=CAP1&page_size=50']],
      accept: [
        [
          'POST',
          '/v1/customer/disputes/PP-D-1/accept-claim',
          { note: 'The merchant accepts this claim.', accept_claim_type: 'REFUND' },
        ],
        ['GET', '/v1/customer/disputes/PP-D-1'],
      ],
      submitEvidence: [
        [
          'POST',
          '/v1/customer/disputes/PP-D-1/provide-evidence',
          {
            evidences: [
              {
                evidence_type: 'PROOF_OF_FULFILLMENT',
                evidence_info: { tracking_info: [{ carrier_name: 'DHL', tracking_number: 'JD1' }] },
                notes: 'It was delivered.',
              },
            ],
          },
        ],
        ['GET', '/v1/customer/disputes/PP-D-1'],
      ],
    },
    answers: {
      list: [{ body: { items: [], links: [] } }],
      accept: [{ body: { links: [] } }],
      submitEvidence: [{ body: { links: [] } }],
    },
    responsesByPath: { '/v1/oauth2/token': { body: { access_token: 'A21.CANARY', expires_in: 32_400 } } },
  },
  {
    provider: 'razorpay',
    credentials: { key_id: 'rzp_test_1', key_secret: 'CANARYSECRET', webhook_secret: 'CANARY_of_the_webhook' },
    dispute: 'disp_1',
    charge: 'pay_1',
    currency: 'INR',
    shown: (status) => {
      const [overall = '', phase = 'chargeback', deducted = '0'] = status.split(':');
      return {
        body: {
          id: 'disp_1',
          entity: 'dispute',
          payment_id: 'pay_1',
          amount: 1_099,
          currency: 'INR',
          amount_deducted: Number(deducted),
          reason_code: 'goods_or_services_not_received',
          respond_by: 1_900_000_000,
          status: overall,
          phase,
          created_at: 1_798_000_000,
        },
      };
    },
    statuses: {
      open: 'needs_response',
      'open:retrieval': 'warning',
      'open:fraud': 'warning',
      'open:pre_arbitration': 'needs_response',
      under_review: 'under_review',
      won: 'won',
      lost: 'lost',
      'closed:retrieval': 'won',
      'closed:chargeback:1099': 'lost',
      of_the_future: 'under_review',
    },
    requests: {
      fetch: [['GET', '/v1/disputes/disp_1']],
      listSince: [['GET', '/v1/disputes?from=1798711200&to=1798797600&count=100&skip=0']],
      accept: [['POST', '/v1/disputes/disp_1/accept', {}]],
    },
    answers: { listSince: [{ body: { entity: 'collection', count: 0, items: [] } }] },
  },
  {
    provider: 'paystack',
    credentials: { secret_key: 'sk_test_CANARY' },
    dispute: '358950',
    charge: 'att-1',
    currency: 'NGN',
    shown: (status) => {
      const [overall = '', resolution = null] = status.split(':');
      return {
        body: {
          status: true,
          message: 'Dispute retrieved',
          data: {
            id: 358_950,
            refund_amount: 1_099,
            currency: 'NGN',
            status: overall,
            resolution,
            category: 'fraud',
            transaction: { id: 1, reference: 'att-1' },
            dueAt: '2027-03-21T00:00:00.000Z',
            createdAt: '2027-02-27T04:00:10.000Z',
          },
        },
      };
    },
    statuses: {
      'awaiting-merchant-feedback': 'needs_response',
      'awaiting-bank-feedback': 'under_review',
      pending: 'under_review',
      'resolved:merchant-accepted': 'accepted',
      'resolved:declined': 'won',
      'resolved:auto-accepted': 'expired',
      'resolved:bank-accepted': 'lost',
      'resolved:of-the-future': 'under_review',
    },
    requests: {
      fetch: [['GET', '/dispute/358950']],
      listSince: [['GET', '/dispute?from=2026-12-31T10:00:00.000Z&to=2027-01-01T10:00:00.000Z&perPage=100&page=1']],
      accept: [
        ['GET', '/dispute/358950/upload_url?upload_filename=answer.txt'],
        ['PUT', '/files.paystack.co/f1?X-Amz-Signature=s'],
        [
          'PUT',
          '/dispute/358950/resolve',
          {
            resolution: 'merchant-accepted',
            message: 'The merchant accepts this dispute.',
            refund_amount: 1_099,
            uploaded_filename: 'f1',
          },
        ],
        ['GET', '/dispute/358950'],
      ],
      submitEvidence: [
        ['GET', '/dispute/358950/upload_url?upload_filename=answer.txt'],
        ['PUT', '/files.paystack.co/f1?X-Amz-Signature=s'],
        [
          'PUT',
          '/dispute/358950/resolve',
          { resolution: 'declined', message: 'It was delivered.', refund_amount: 0, uploaded_filename: 'f1' },
        ],
        ['GET', '/dispute/358950'],
      ],
    },
    answers: { listSince: [{ body: { status: true, message: '', data: [] } }] },
    responsesByPath: {
      '/dispute/358950/upload_url': {
        body: {
          status: true,
          message: 'Upload url generated',
          data: {
            signedUrl: 'https://s3.eu-west-1.amazonaws.com/files.paystack.co/f1?X-Amz-Signature=s',
            fileName: 'f1',
          },
        },
      },
      '/files.paystack.co/f1': { body: '' },
      '/dispute/358950/resolve': { body: { status: true, message: 'Dispute successfully resolved', data: {} } },
    },
    // Its document forgets the name of the file, which its reference asks for.
    check: () => {
      const check = openApiCheck('paystack.openapi.json');
      return (request) =>
        check(request.path.endsWith('/upload_url') ? { ...request, query: new URLSearchParams() } : request);
    },
  },
  {
    provider: 'mollie',
    credentials: { api_key: `test_${'CANARY'.repeat(5)}` },
    dispute: 'chb_1',
    charge: 'tr_1',
    shown: (status) => ({
      body: {
        resource: 'chargeback',
        id: 'chb_1',
        amount: { currency: 'EUR', value: '10.99' },
        reason: { code: 'MD01', description: 'No mandate' },
        paymentId: 'tr_1',
        createdAt: '2027-02-27T04:00:10+00:00',
        ...(status === 'reversed' && { reversedAt: '2027-03-01T00:00:00+00:00' }),
      },
    }),
    statuses: { received: 'lost', reversed: 'won' },
    requests: {
      fetch: [['GET', '/v2/payments/tr_1/chargebacks/chb_1']],
      list: [['GET', '/v2/payments/tr_1/chargebacks?limit=250']],
    },
    answers: { list: [{ body: { count: 0, _embedded: { chargebacks: [] } } }] },
    check: () => mollieDocument().check,
  },
  {
    provider: 'flutterwave',
    credentials: {
      secret_key: 'FLWSECK_TEST-CANARYCANARYCANARYCANARYCANARY-X',
      webhook_secret: 'CANARY_of_the_webhook',
    },
    dispute: '2221',
    charge: '674630970',
    currency: 'NGN',
    shown: (status) => {
      const [overall = '', description] = status.split(':');
      const row = {
        id: 2221,
        amount: 10.99,
        flw_ref: '0550726510071683619721660',
        status: overall,
        stage: 'new',
        comment: 'Product/service not received',
        meta: { uploaded_proof: null, history: description ? [{ action: 'lost', description }] : [] },
        due_date: '2027-03-21T00:00:00.000Z',
        created_at: '2027-02-27T04:00:10.000Z',
        transaction_id: 674_630_970,
        tx_ref: 'TEST-1',
      };
      const page_info = { total: 1, current_page: 1, total_pages: 1, page_size: 20 };
      return { body: { status: 'success', message: 'Chargebacks fetched', meta: { page_info }, data: [row] } };
    },
    statuses: {
      initiated: 'needs_response',
      pending: 'needs_response',
      accepted: 'accepted',
      declined: 'under_review',
      won: 'won',
      reversed: 'won',
      lost: 'lost',
      'lost:No merchant response': 'expired',
      of_the_future: 'under_review',
    },
    requests: {
      fetch: [['GET', '/v3/chargebacks?id=674630970']],
      list: [
        ['GET', '/v3/chargebacks?id=674630970'],
        ['GET', '/v3/transactions/674630970/verify'],
      ],
      listSince: [['GET', '/v3/chargebacks?from=2026-12-30&to=2027-01-02&page=1']],
      accept: [['PUT', '/v3/chargebacks/2221', { action: 'accept' }]],
      submitEvidence: [['PUT', '/v3/chargebacks/2221', { action: 'decline', comment: 'It was delivered.' }]],
    },
    responsesByPath: {
      '/v3/transactions/674630970/verify': {
        body: {
          status: 'success',
          message: '',
          data: { id: 674_630_970, tx_ref: 'TEST-1', status: 'successful', amount: 10.99, currency: 'NGN' },
        },
      },
    },
    answers: {
      accept: [{ body: { status: 'success', message: '', data: { id: 2221, amount: 10.99, status: 'accepted' } } }],
      submitEvidence: [
        { body: { status: 'success', message: '', data: { id: 2221, amount: 10.99, status: 'declined' } } },
      ],
    },
  },
];

/** A missing permission, as each PSP says it. Their words may quote the request. */
const REFUSALS: Readonly<Record<string, object>> = {
  stripe: { error: { type: 'invalid_request_error', message: 'CANARY' } },
  adyen: { status: 403, errorCode: '010', errorType: 'security', message: 'CANARY' },
  checkout: {},
  paypal: { name: 'NOT_AUTHORIZED', message: 'CANARY' },
  razorpay: { error: { code: 'BAD_REQUEST_ERROR', description: 'CANARY' } },
  paystack: { status: false, message: 'CANARY' },
  mollie: { status: 403, title: 'Forbidden', detail: 'CANARY' },
  flutterwave: { status: 'error', message: 'CANARY', data: null },
};

const RANGE = { from: new Date('2026-12-31T10:00:00Z'), until: new Date('2027-01-01T10:00:00Z') };

/** JSON, a form, or the one part of a multipart form. */
function sentIn({ body, headers }: ReceivedRequest): unknown {
  const type = headers['content-type'] ?? '';
  if (body === '' || type === 'text/plain')
    return type.startsWith('application/x-www-form-urlencoded') ? {} : undefined;
  if (type.startsWith('multipart/form-data')) return JSON.parse(body.split('\r\n\r\n')[1]?.split('\r\n--')[0] ?? '');
  return type === 'application/json' ? JSON.parse(body) : nested(body);
}

describe.each(DIALECTS.map((dialect) => [dialect.provider, dialect] as const))(
  'disputes at %s',
  (provider, dialect) => {
    let psp: CannedServer;
    let calls: PspDisputes<unknown>;
    let context: (ms?: number) => PspContext<unknown>;
    beforeAll(async () => {
      psp = await startCannedServer(dialect.responsesByPath);
      const adapter = (await PSPS[provider]?.load()) ?? expect.fail(`There is no ${provider}.`);
      calls = (await adapter.disputeCalls?.()) ?? expect.fail('It has no disputes.');
      const parsed = adapter.parseCredentials(dialect.credentials);
      if (!parsed.ok) throw new Error(`The credentials of ${provider} are not valid.`);
      const transport = makePspTransport({ baseUrls: () => psp.base });
      context = (ms = 5_000) => {
        const deadline = startDeadline(ms);
        const send: PspContext<unknown>['send'] = (request) => transport.send(provider, request, deadline);
        return { credentials: parsed.credentials, now: () => NOW, send, rootCertificates: () => [] };
      };
    });
    afterAll(() => psp?.close());

    const { dispute: reference, charge, currency = 'EUR' } = dialect;
    const paymentId = 'pay_01jc0000000000000000000001';
    const ref: DisputeRef = { reference, paymentId, charge, amount: 1_099, currency };
    const CALLS: Record<Call, (c: PspContext<unknown>) => Promise<unknown> | undefined> = {
      fetch: (c) => calls.fetch?.(ref, c),
      list: (c) => calls.list?.({ reference: charge, paymentId }, c),
      listSince: (c) => calls.listSince?.(RANGE, c),
      accept: (c) => calls.accept?.(ref, 'idem_1', c),
      submitEvidence: (c) => calls.submitEvidence?.(ref, EVIDENCE, 'idem_2', c),
    };
    const made = Object.keys(dialect.requests) as Call[];
    const seenStatus = Object.keys(dialect.statuses)[0] ?? '';
    const requests = (from: number) => psp.received.slice(from).filter(({ path }) => path !== '/v1/oauth2/token');

    it.each(made)('sends what the documents say: %s', async (call) => {
      const before = psp.received.length;
      psp.respond(...(dialect.answers?.[call] ?? []), dialect.shown(seenStatus));
      await CALLS[call](context());
      const sent = requests(before);
      const urlOf = ({ path, query }: ReceivedRequest) =>
        `${path}${query.size > 0 ? `?${decodeURIComponent(query.toString())}` : ''}`;
      expect(sent.map((each) => [each.method, urlOf(each), ...(sentIn(each) ? [sentIn(each)] : [])])).toEqual(
        dialect.requests[call]?.map((each) => [...each]),
      );
      if (!dialect.check || !(specsThere || inCi)) return;
      const own = sent.filter(({ path }) => !path.startsWith('/files.paystack.co/'));
      expect(own.flatMap(dialect.check())).toEqual([]);
    });

    it('has no other call', () => {
      const offered = (Object.keys(CALLS) as Call[]).filter((call) => calls[call] !== undefined);
      expect(offered.sort()).toEqual([...made].sort());
    });

    it.each(Object.entries(dialect.statuses))('reads the status %s as %s', async (status, ours) => {
      psp.respond(dialect.shown(status));
      expect(await calls.fetch?.(ref, context())).toMatchObject({
        reference,
        paymentReference: charge,
        status: ours,
        amount: 1_099,
        currency,
      });
    });

    it.each<[string, CannedResponse, abstract new (...args: never[]) => Error]>([
      ['a rate limit', { status: 429, headers: { 'retry-after': '7' }, body: {} }, PspNotSent],
      ['an error of the PSP', { status: 500, body: {} }, PspOutcomeUnknown],
      ['garbage', { status: 200, body: 'not JSON' }, PspOutcomeUnknown],
      ['another object', { status: 200, body: { hello: 'world' } }, PspOutcomeUnknown],
      ['a connection that is cut', 'cut', PspOutcomeUnknown],
    ])('tells nothing after %s', async (_, response, type) => {
      for (const call of made.filter((each) => provider !== 'paystack' || each === 'fetch')) {
        psp.respond(response);
        const error = await CALLS[call](context())?.then(
          () => 'no error',
          (thrown: unknown) => thrown,
        );
        expect(error, call).toBeInstanceOf(type);
        expect(inspect(error, { depth: 9 })).not.toContain('CANARY');
      }
    });

    const shownApart = (['accept', 'submitEvidence'] as const).filter((call) => {
      const [last] = dialect.requests[call]?.at(-1) ?? [];
      return last === 'GET';
    });
    if (shownApart.length > 0)
      it.each(shownApart)(
        'does not say that nothing was sent, if only the look-up after it failed: %s',
        async (call) => {
          const answered = dialect.requests[call]?.filter(
            ([, path]) => dialect.responsesByPath?.[path.split('?')[0] ?? ''] === undefined,
          );
          const given = answered?.length ?? 0;
          const answers = dialect.answers?.[call] ?? Array.from({ length: given }, () => dialect.shown(seenStatus));
          psp.respond(...answers.slice(0, given - 1), { status: 429, headers: { 'retry-after': '7' }, body: {} });
          await expect(CALLS[call](context())).rejects.toBeInstanceOf(PspOutcomeUnknown);
        },
      );

    it('refuses what the PSP refuses, and shows no secret', async () => {
      psp.respond({ status: 403, body: REFUSALS[provider] });
      const call = calls.fetch ? 'fetch' : 'accept';
      const error = await CALLS[call](context())?.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PspRefused);
      expect(error).toMatchObject({ kind: 'credentials' });
      expect(inspect(error, { depth: 9 })).not.toContain('CANARY');
    });
  },
);
