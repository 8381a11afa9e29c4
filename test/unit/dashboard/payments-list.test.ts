import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { convertDigits } from '#client/dashboard/i18n/convert-digits.ts';
import { createdRange } from '#client/dashboard/screens/payments/created-range.ts';
import { linkInput, newDraft } from '#client/dashboard/screens/payments/link-draft.ts';
import { csvLine, exportPayments, MAX_ROWS } from '#client/dashboard/screens/payments/payments-csv.ts';
import { paymentsQuery } from '#client/dashboard/screens/payments/payments-query.ts';
import { isSameView, readViews, saveViews } from '#client/dashboard/screens/payments/saved-views.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';
import { Payfork } from '#client/typescript/src/payfork.ts';

const NOW = new Date(2026, 4, 20, 15, 30);
const midnight = (month: number, day: number): string => new Date(2026, month - 1, day).toISOString();

describe('the period of the list', () => {
  it.each([
    ['begins with this day', { created: 'today' }, { created_after: midnight(5, 20) }],
    ['is of seven days with this one', { created: '7d' }, { created_after: midnight(5, 14) }],
    [
      'has both of the days that stand in the address',
      { from: '2026-05-01', to: '2026-05-31' },
      { created_after: midnight(5, 1), created_before: midnight(6, 1) },
    ],
    ['may have one end', { to: '2026-12-31' }, { created_before: new Date(2027, 0, 1).toISOString() }],
    ['is all of time without a choice', {}, {}],
    ['leaves out what is no day and no period', { created: 'toString', from: 'soon', to: '2026-5-1' }, {}],
  ])('%s', (_, chosen, range) => expect(createdRange(chosen, NOW)).toEqual(range));

  it('goes to the API with the other filters, without a status that is none', () => {
    const values = { status: 'paid', customer_id: 'c-1', currency: 'eur', created: 'today', search: 'x' };
    expect(paymentsQuery(values, NOW)).toEqual({ customer_id: 'c-1', currency: 'eur', created_after: midnight(5, 20) });
    expect(paymentsQuery({ status: 'failed' }, NOW)).toEqual({ status: 'failed' });
  });
});

const aPayment = (more: Partial<Payment> = {}): Payment =>
  ({ id: 'pay_1', amount: 1_250, amount_refunded: 0, currency: 'EUR', metadata: {}, ...more }) as Payment;

describe('a line of the CSV file', () => {
  const cells = (payment: Payment): string => csvLine(payment);

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('has %j as text, which no spreadsheet runs', (text) => {
    const line = cells(aPayment({ description: text }));
    expect(line).toMatch(/,"?'/);
    expect(line).not.toMatch(/,"?[=+@-]/);
  });

  it.each([
    ['Chair;=1+1', ",Chair;'=1+1,"],
    ['a; "@SUM(A1)', `,"a; ""'@SUM(A1)",`],
    ['first\n-1', `,"first\n'-1",`],
    ['first\t+1', ",first\t'+1,"],
    ['＝1+1', ",'＝1+1,"],
    ['kim+shop@example.com; 3-5 days', ',kim+shop@example.com; 3-5 days,'],
  ])('has %j as text also where cells are parted by semicolons or tabs', (text, cell) =>
    expect(cells(aPayment({ description: text }))).toContain(cell),
  );

  it('keeps commas, quotes and line ends within their cell', () =>
    expect(cells(aPayment({ description: 'a "b", c\nd' }))).toContain(',"a ""b"", c\nd",'));

  it.each([
    ['EUR', '12.50'],
    ['JPY', '1250'],
    ['KWD', '1.250'],
  ] as const)('writes an amount of %s with its decimals', (currency, text) =>
    expect(cells(aPayment({ currency }))).toContain(`,${text},${currency},`),
  );

  it('has metadata as JSON, and nothing for what there is not', () => {
    expect(cells(aPayment({ metadata: { order: 7 } }))).toMatch(/,"\{""order"":7\}"\r\n$/);
    expect(cells(aPayment())).toMatch(/,{8,}\r\n$/);
  });
});

/** An API whose list never ends: it is asked page by page, and each page has as many payments as `inPage`. */
async function endlessList(inPage: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const limit = Number(new URL(request.url ?? '', 'http://api').searchParams.get('limit'));
    const payments = Array.from({ length: Math.min(limit, inPage) }, (_, n) =>
      aPayment({ id: `pay_${asked}_${n}`, created_at: `2026-01-01T00:00:00.${String(asked).padStart(3, '0')}Z` }),
    );
    const link = `<http://api/v1/payments?limit=${limit}&cursor=${asked}>; rel="next"`;
    response.writeHead(200, { link }).end(JSON.stringify({ payments, pagination: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const api = new Payfork({ baseUrl: `http://127.0.0.1:${port}`, key: 'pfk_1' });
  return { api, asked: () => asked };
}

const anExport = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

describe('an export', () => {
  it('ends at its largest size, and says from which moment on it is complete', async () => {
    const { api, asked } = await endlessList(200);
    const { csv, count, cutAt } = await exportPayments(api, {}, anExport());
    expect([count, asked(), cutAt]).toEqual([MAX_ROWS, MAX_ROWS / 200, '2026-01-01T00:00:00.050Z']);
    expect((await csv.text()).split('\r\n').length).toBe(MAX_ROWS + 2);
  });

  it('ends after two hundred pages where hits are rare', async () => {
    const { api, asked } = await endlessList(1);
    const { count, cutAt } = await exportPayments(api, { currency: 'KWD' }, anExport());
    expect([count, asked(), cutAt]).toEqual([200, 200, '2026-01-01T00:00:00.200Z']);
  });

  it('says how far it is, and ends as soon as its dialog is closed', async () => {
    const { api, asked } = await endlessList(200);
    const given = new AbortController();
    const counts: number[] = [];
    const exporting = exportPayments(
      api,
      {},
      {
        signal: given.signal,
        onProgress: (count) => {
          counts.push(count);
          if (counts.length === 2) given.abort();
        },
      },
    );
    await expect(exporting).rejects.toThrow(/abort/);
    expect([counts, asked()]).toEqual([[200, 400], 2]);
  });
});

/** What a browser keeps. */
function aStorage(kept: Record<string, string> = {}) {
  const texts = new Map(Object.entries(kept));
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  };
}

describe('saved views', () => {
  it('are those of their organization', () => {
    const storage = aStorage();
    const view = { name: 'Regulars', filters: { status: 'failed', customer_id: 'c-1' } };
    saveViews('org_1', [view], storage);
    expect(readViews('org_1', storage)).toEqual([view]);
    expect(readViews('org_2', storage)).toEqual([]);
  });

  it.each([
    ['nothing', 'null'],
    ['what is no JSON', '{'],
    ['another thing', '{"a":1}'],
    ['views without a name', '[{"filters":{}},{"name":""},7,null]'],
  ])('leave out %s', (_, text) =>
    expect(readViews('org_1', aStorage({ 'payfork.views.payments.org_1': text }))).toEqual([]),
  );

  it('leave out filters that there are not', () => {
    const storage = aStorage({
      'payfork.views.payments.org_1': '[{"name":"A","filters":{"status":"failed","__x":"1","to":5}}]',
    });
    expect(readViews('org_1', storage)).toEqual([{ name: 'A', filters: { status: 'failed' } }]);
  });

  it('are twenty at most, the newest', () => {
    const storage = aStorage();
    const views = Array.from({ length: 25 }, (_, n) => ({ name: `View ${n}`, filters: {} }));
    saveViews('org_1', views, storage);
    expect(readViews('org_1', storage).map(({ name }) => name)).toEqual(views.slice(5).map(({ name }) => name));
  });

  it('are the same if their filters are', () => {
    expect(isSameView({ status: 'failed', currency: '' }, { status: 'failed' })).toBe(true);
    expect(isSameView({ status: 'failed' }, { status: 'failed', currency: 'EUR' })).toBe(false);
  });
});

describe('the form of a payment link', () => {
  const draft = { ...newDraft(undefined), amount: 1_250 };

  it('is complete with an amount and how often it may be paid', () => {
    expect(linkInput(draft, NOW)).toEqual({ amount: 1_250, currency: 'EUR', max_payments: 1 });
    for (const wrong of [
      { amount: undefined },
      { amount: 0 },
      { maxPayments: '' },
      { maxPayments: '0' },
      { maxPayments: '1.5' },
    ])
      expect(linkInput({ ...draft, ...wrong }, NOW)).toBeUndefined();
  });

  it('has what else was chosen', () => {
    const more = { description: ' A chair ', expiresIn: '7', isCapturedLater: true, maxPayments: '3' };
    expect(linkInput({ ...draft, ...more }, new Date('2026-05-20T00:00:00Z'))).toEqual({
      ...{ amount: 1_250, currency: 'EUR', max_payments: 3, description: 'A chair', capture: 'manual' },
      expires_at: '2026-05-27T00:00:00.000Z',
    });
  });

  it('begins with the currency that is filtered by', () => {
    expect(newDraft('jpy').currency).toBe('JPY');
    expect(newDraft('=cmd').currency).toBe('EUR');
  });

  it.each([
    ['EUR', 'USD', 1_250, 1_250],
    ['EUR', 'JPY', 1_200, 12],
    ['EUR', 'JPY', 1_250, undefined],
    ['JPY', 'KWD', 12, 12_000],
    ['EUR', 'USD', undefined, undefined],
  ])('keeps the sum from %s to %s where it is one', (currency, to, amount, converted) =>
    expect(convertDigits({ ...draft, currency, amount }, to)).toBe(converted),
  );
});
