import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NETWORK_REPORT_FORMS, type NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import { startDeadline } from '#shared/kernel/clock.ts';
import type { ChargeOrder, InboundCallback, PspAdapter, PspContext, PspOutcome } from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import {
  type CannedResponse,
  type CannedServer,
  type ReceivedRequest,
  startCannedServer,
} from '#test/contract/canned-server.ts';
import { inCi, type RequestCheck, specsThere } from '#test/contract/openapi-check.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

/** Every detail at once. The texts with CANARY identify a person, and no outcome, error or address may carry them. */
export const FULL_DETAILS: PaymentDetails = {
  billing: {
    name: 'Ada CANARYNAME',
    phone: '+4915112345678',
    address: {
      line1: 'CANARYSTREET 1',
      line2: 'Floor 2',
      city: 'Berlin',
      state: 'BE',
      postal_code: '10115',
      country: 'DE',
    },
  },
  shipping: {
    name: 'Grace CANARYNAME',
    phone: '+4930901820',
    address: { line1: 'CANARYSTREET 2', city: 'Hamburg', postal_code: '20095', country: 'DE' },
  },
  browser: {
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    accept_header: 'text/html,*/*;q=0.8',
    language: 'de-DE',
    color_depth: 24,
    screen_height: 1080,
    screen_width: 1920,
    time_zone_offset: -120,
    java_enabled: false,
    javascript_enabled: true,
    origin: 'https://shop.example',
  },
  statement_descriptor: 'SHOP EXAMPLE',
  statement_descriptor_suffix: 'ORDER 1',
  order: {
    reference: 'order-1',
    tax_amount: 175,
    shipping_amount: 99,
    lines: [
      {
        name: 'Mug',
        quantity: 2,
        unit_amount: 500,
        total_amount: 1000,
        tax_amount: 160,
        sku: 'mug-1',
        kind: 'physical',
      },
      { name: 'Parcel', quantity: 1, unit_amount: 99, total_amount: 99, tax_amount: 15, kind: 'shipping' },
    ],
  },
  sca: { challenge: 'preferred', exemption: 'transaction_risk_analysis' },
};

const PERSONAL = ['CANARYNAME', 'CANARYSTREET', '+4915112345678', '15112345678', '+4930901820'];

/** Texts as long as a client may send them, with characters of two units. */
const long = (length: number) => '😀'.repeat(length);
export const LONG_DETAILS: PaymentDetails = {
  ...FULL_DETAILS,
  billing: {
    name: long(100),
    phone: '+4915112345678',
    address: {
      line1: long(100),
      line2: long(100),
      city: long(50),
      state: long(50),
      postal_code: long(10),
      country: 'DE',
    },
  },
  shipping: { name: long(100), address: { line1: long(100), city: long(50), postal_code: long(10), country: 'DE' } },
  statement_descriptor: `SHOP ${long(20)} <"'*\\> GMBH AND COMPANY OF BERLIN`,
  statement_descriptor_suffix: `ORDER ${long(20)} 12345678901234567890`,
  order: {
    reference: long(100),
    lines: [{ name: long(150), quantity: 1, unit_amount: 1099, total_amount: 1099, sku: long(60) }],
  },
};

type SentCase = {
  /** A full sentence, such as `asks for a challenge`. */
  readonly title: string;
  readonly order: Partial<ChargeOrder>;
  /** Default: `approved`, or `hosted` for an order whose payment method has no token. */
  readonly responses?: readonly CannedResponse[];
  /** What the charge's request has, also beside other fields. */
  readonly sent?: object;
  /** The path of the fields that the charge's request does not have, such as `source.phone`. */
  readonly notSent?: readonly string[];
};

type ReportCase = {
  readonly title: string;
  /** Default: `create`. */
  readonly from?: 'create' | 'fetch' | 'find' | 'confirm';
  readonly order?: Partial<ChargeOrder>;
  readonly reference?: string;
  readonly responses: readonly CannedResponse[];
  /** The whole report; undefined if the outcome has none. */
  readonly network: NetworkReport | undefined;
};

type CallbackReport = {
  readonly title: string;
  readonly callback: InboundCallback;
  readonly network?: NetworkReport;
  readonly saved?: PaymentToken;
};

type SaveCase = {
  readonly title: string;
  readonly method: string;
  readonly order?: Partial<ChargeOrder>;
  readonly responses: readonly CannedResponse[];
  /** What the charge's request has. */
  readonly sent: object;
  /** Default: the outcome of the charge itself has it. `fetch`: a look-up, after the customer has paid. */
  readonly toldBy?: 'create' | 'fetch';
  /** Responses to that look-up, and the charge's reference then. */
  readonly fetched?: { readonly reference: string; readonly responses: readonly CannedResponse[] };
  readonly saved: PaymentToken;
};

/** What one PSP takes of details, tells of its networks, and keeps, as its documentation describes it. */
export type DetailsDialect<C> = {
  readonly adapter: PspAdapter<C>;
  readonly credentials: unknown;
  readonly token: ChargeOrder['paymentMethod']['token'];
  readonly reference: string;
  readonly responsesByPath?: Readonly<Record<string, CannedResponse>>;
  /** Responses to a charge of 10.99 EUR that succeeds, without a report. */
  readonly approved: readonly CannedResponse[];
  /** Responses to a charge on a page of the PSP. */
  readonly hosted: readonly CannedResponse[];
  /** The request that charges, among those of a create. Default: the last one that is no GET. */
  readonly chargeIn?: (requests: readonly ReceivedRequest[]) => ReceivedRequest | undefined;
  /** Default: JSON. */
  readonly bodyOf?: (request: ReceivedRequest) => unknown;
  /** What continues a charge after its next action. */
  readonly confirmInput?: Readonly<Record<string, unknown>>;
  readonly sends: readonly SentCase[];
  readonly reports: readonly ReportCase[];
  readonly callbacks?: readonly CallbackReport[];
  /** A success whose report is full of values that are no such values: nothing of it may be told. */
  readonly garbled: readonly CannedResponse[];
  /** One for each of the adapter's `savesMethods`, at least. */
  readonly saves: readonly SaveCase[];
  /** A charge with `save` whose method the PSP does not keep, and that succeeds all the same. */
  readonly unsaved?: { readonly method: string; readonly responses: readonly CannedResponse[] };
  /** A charge whose save fails before it: the PSP refuses the customer. The charge is sent without it. */
  readonly refusedSave?: {
    readonly method: string;
    readonly order?: Partial<ChargeOrder>;
    readonly responses: readonly CannedResponse[];
  };
  readonly check: () => RequestCheck;
};

export const SAVE = { customer: 'cust_01jc000000000000000000000001' } as const;

const lastSend = (requests: readonly ReceivedRequest[]) => requests.filter(({ method }) => method !== 'GET').at(-1);
const jsonOf = ({ body }: ReceivedRequest): unknown => JSON.parse(body);

export function describePspDetails<C>(dialect: DetailsDialect<C>): void {
  const { adapter, token, chargeIn = lastSend, bodyOf = jsonOf } = dialect;
  const parsed = adapter.parseCredentials(dialect.credentials);
  if (!parsed.ok) throw new Error(`The credentials of the ${adapter.provider} details dialect are not valid.`);
  const order: ChargeOrder = { ...AN_ORDER, paymentMethod: { type: 'card', token } };
  const onPage: ChargeOrder = { ...order, paymentMethod: { type: 'card' } };
  const { paymentId, attemptId } = order;
  let psp: CannedServer;
  let first = 0;

  beforeAll(async () => {
    psp = await startCannedServer(dialect.responsesByPath);
  });
  beforeEach(() => {
    first = psp.received.length;
  });
  afterAll(() => psp.close());

  const context = (): PspContext<C> => {
    const transport = makePspTransport({ baseUrls: () => psp.base });
    const deadline = startDeadline(5_000);
    const send: PspContext<C>['send'] = (request) => transport.send(adapter.provider, request, deadline);
    return { credentials: parsed.credentials, now: () => new Date(order.startedAt), send, rootCertificates: () => [] };
  };
  const requests = () => psp.received.slice(first).filter(({ path }) => dialect.responsesByPath?.[path] === undefined);
  const responsesTo = ({ paymentMethod }: ChargeOrder) =>
    paymentMethod.token === undefined ? dialect.hosted : dialect.approved;
  const create = async (each: ChargeOrder, responses = responsesTo(each)) => {
    psp.respond(...responses);
    return adapter.create(each, context());
  };
  const fetch = (reference = dialect.reference) =>
    adapter.fetch({ reference, paymentId, attemptId, mayCapture: true }, context());
  /** The body of the request that charges. */
  const charged = () => {
    const request = chargeIn(requests());
    if (!request) throw new Error('Nothing was charged.');
    return bodyOf(request) as object;
  };
  /** What makes requests the same call. */
  const calls = (from = 0) =>
    requests()
      .slice(from)
      .map(({ method, path, query, body }) => ({ method, path, query: String(query), body }));

  describe('details of a payment', () => {
    it.each([
      ['with a token', order],
      ['on a page', onPage],
    ])('change nothing %s if there are none', async (_, each) => {
      await create(each);
      const without = calls();
      await create({ ...each, details: {} });
      expect(calls(without.length)).toEqual(without);
      await create({ ...each, details: { order: {}, sca: {}, billing: {}, shipping: { address: {} } } });
      expect(calls(2 * without.length)).toHaveLength(without.length);
    });

    it.each(dialect.sends)('$title', async ({ order: more, responses, sent, notSent = [] }) => {
      const each = { ...order, ...more };
      await create(each, responses ?? responsesTo(each));
      if (sent) expect(charged()).toMatchObject(sent);
      for (const path of notSent) expect(charged()).not.toHaveProperty(path);
    });

    it.each([
      ['with a token', order],
      ['on a page', onPage],
    ])('are sent once more %s when a charge is repeated, and show in no outcome', async (_, each) => {
      const outcomes = [];
      for (const __ of ['once', 'again']) outcomes.push(await create({ ...each, details: FULL_DETAILS }));
      const all = calls();
      expect(all.slice(all.length / 2)).toEqual(all.slice(0, all.length / 2));
      expectNothingPersonal([outcomes, all.map(({ path, query }) => path + query)]);
    });

    it('show in no error', async () => {
      const quoted = { message: PERSONAL.join(' '), error_codes: PERSONAL, error: { message: PERSONAL.join(' ') } };
      for (const status of [400, 402, 422, 500]) {
        psp.respond({ status, body: quoted });
        const call = adapter.create({ ...order, details: FULL_DETAILS }, context());
        expectNothingPersonal(await call.catch((error: unknown) => error));
      }
    });

    it.each([
      ['with a token', order],
      ['on a page', onPage],
    ])('are cut %s to what the PSP takes, and never within a character', async (_, each) => {
      await create({ ...each, details: LONG_DETAILS });
      for (const { body } of requests()) expect(body).not.toMatch(/\\ud83d(?!\\ude00)|%EF%BF%BD|\uFFFD/i);
    });
  });

  describe('the report of a charge', () => {
    it.each(dialect.reports)('$title', async ({ from = 'create', order: more, reference, responses, network }) => {
      const each = { ...order, ...more };
      psp.respond(...responses);
      const outcome = await outcomeOf(from, each, reference);
      expect(outcome?.network).toEqual(network);
      if (network) expectReport(network);
    });

    const outcomeOf = async (
      from: NonNullable<ReportCase['from']>,
      each: ChargeOrder,
      reference = dialect.reference,
    ): Promise<PspOutcome | undefined> => {
      if (from === 'create') return adapter.create(each, context());
      if (from === 'find') return adapter.find?.(each, context());
      if (from === 'fetch') return fetch(reference);
      return adapter.confirm({ reference, order: each, input: dialect.confirmInput ?? {} }, context());
    };

    it('is missing where the PSP tells nothing', async () => {
      const outcome = await create(order);
      expect(outcome).toMatchObject({ kind: 'succeeded' });
      expect(outcome).not.toHaveProperty('network');
      expect(outcome).not.toHaveProperty('saved');
    });

    it('leaves out what is no such value', async () => {
      const outcome = await create(order, dialect.garbled);
      expect(outcome).toMatchObject({ kind: 'succeeded' });
      expect(outcome).not.toHaveProperty('network');
    });

    if (dialect.callbacks)
      it.each(dialect.callbacks)('$title', ({ callback, network, saved }) => {
        const [event] = adapter.parseCallback(callback);
        const reported = event?.subject.kind === 'payment' ? event.subject.reported : undefined;
        expect([reported?.network, reported?.saved]).toEqual([network, saved]);
      });
  });

  describe('a saved payment method', () => {
    it('has a case for each method that the PSP keeps', () => {
      const methods = new Set(dialect.saves.map(({ method }) => method));
      expect([...methods].sort()).toEqual([...(adapter.savesMethods ?? [])].sort());
      expect(adapter.capabilities.methods).toEqual(expect.arrayContaining([...methods]));
    });

    if (dialect.saves.length > 0)
      it.each(dialect.saves)('$title', async ({ method, order: more, responses, sent, toldBy, fetched, saved }) => {
        const each = { ...order, save: SAVE, method, ...more };
        for (const _ of ['once', 'again']) {
          const outcome = await create(each, responses);
          if (toldBy !== 'fetch') expect(outcome.saved).toEqual(saved);
          expect(charged()).toMatchObject(sent);
        }
        const all = calls();
        expect(all.slice(all.length / 2)).toEqual(all.slice(0, all.length / 2));
        if (fetched) {
          psp.respond(...fetched.responses);
          expect((await fetch(fetched.reference)).saved).toEqual(saved);
        }
        expect(toldBy !== 'fetch' || fetched !== undefined).toBe(true);
        expect(adapter.isReusableToken(saved, method)).toBe(true);
        const later = { ...order, method: method, offSession: true };
        const charge = await create({ ...later, paymentMethod: { type: method, token: saved } }, dialect.approved);
        expect(charge).toMatchObject({ kind: 'succeeded' });
      });

    const { unsaved, refusedSave } = dialect;
    if (unsaved)
      it('is missing where the PSP did not keep it, and the charge succeeds', async () => {
        const outcome = await create({ ...order, save: SAVE, method: unsaved.method }, unsaved.responses);
        expect(outcome).toMatchObject({ kind: 'succeeded' });
        expect(outcome).not.toHaveProperty('saved');
      });

    if (refusedSave)
      it('is missing where the PSP refuses the customer, and the charge succeeds', async () => {
        const outcome = await create(
          { ...order, save: SAVE, method: refusedSave.method, ...refusedSave.order },
          refusedSave.responses,
        );
        expect(outcome).toMatchObject({ kind: 'succeeded' });
        expect(outcome).not.toHaveProperty('saved');
      });

    if (!adapter.savesMethods)
      it('is not asked for where the PSP keeps none', async () => {
        await create(order);
        const without = calls();
        await create({ ...order, save: SAVE });
        expect(calls(without.length)).toEqual(without);
      });
  });

  it.skipIf(!specsThere && !inCi)('sends with details and saves only what the document of the PSP names', () => {
    const check = dialect.check();
    const own = psp.received.filter(({ path }) => dialect.responsesByPath?.[path] === undefined);
    expect(own.length).toBeGreaterThan(0);
    expect([...new Set(own.flatMap((request) => check(request)))]).toEqual([]);
  });
}

function expectNothingPersonal(value: unknown): void {
  const text = inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value);
  for (const canary of PERSONAL) expect(text).not.toContain(canary);
}

/** Reports are shown to merchants, and a value of another form would not be stored. */
function expectReport(report: NetworkReport): void {
  const { avs = {}, card = {}, ...own } = report;
  for (const [name, value] of Object.entries({ ...own, ...avs, ...card }))
    expect(String(value), name).toMatch(NETWORK_REPORT_FORMS[name] ?? /no such field/);
}
