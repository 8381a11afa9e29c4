import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulators } from '#lib/simulators/simulators.ts';

export const KEY = 'test_shop';
const SECRET = 'secret_of_the_shop';
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
type Json = any;
type ApiResponse = { readonly status: number; readonly headers: Headers; readonly body: Json };
type Webhook = { readonly path: string; readonly raw: string; readonly signature: string | undefined };
type RequestOptions = {
  readonly key?: string;
  readonly secret?: string;
  readonly raw?: string;
  readonly type?: string;
  readonly signal?: AbortSignal;
};
export type RecordedResponse = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: Json;
};

/**
 * Simulators with one account and its endpoint, on a clock that tests move. Records all responses for the schema test.
 */
export async function startTestbed({ secret = SECRET }: { readonly secret?: string | null } = {}) {
  let now = START;
  const webhooks: Webhook[] = [];
  const fetched: RecordedResponse[] = [];
  const endpoint = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    const signature = request.headers['x-mollie-signature'];
    webhooks.push({ path: request.url ?? '', raw, signature: typeof signature === 'string' ? signature : undefined });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const plain = (text: string) => text;
  const simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date(now) },
    webhookBase: () => address,
    protect: { seal: plain, open: plain },
  });
  simulators.registerAccount(
    'mollie',
    { api_key: KEY, ...(secret !== null && { webhook_secret: secret }) },
    'Sock Shop BV',
  );
  const send = async (
    method: string,
    path: string,
    { key, secret: bearer = KEY, raw, type = 'application/json', signal }: RequestOptions = {},
    body?: object,
  ): Promise<ApiResponse> => {
    const text = raw ?? (body && JSON.stringify(body));
    const headers = {
      ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
      ...(key && { 'idempotency-key': key }),
      ...(text && { 'content-type': type }),
    };
    const response = await fetch(`${simulators.base}/mollie${path}`, {
      method,
      headers,
      body: text ?? null,
      signal: signal ?? null,
    });
    const got = await response.text();
    const parsed: Json = got.startsWith('{') ? JSON.parse(got) : got;
    fetched.push({ method, path: path.replace(/\?.*/, ''), status: response.status, body: parsed });
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const close = async () => {
    await simulators.close();
    endpoint.closeAllConnections();
    endpoint.close();
  };
  return {
    simulators,
    fetched,
    post: (path: string, body?: object, options?: RequestOptions) => send('POST', path, options, body),
    get: (path: string, options?: RequestOptions) => send('GET', path, options),
    delete: (path: string, options?: RequestOptions) => send('DELETE', path, options),
    /** Loads a page or presses a button like a customer's browser, without following redirects. */
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
    advance: (ms: number) => {
      now += ms;
    },
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    operations: (paymentId: string) =>
      simulators.calls({ payment_id: paymentId }).calls.map(({ operation }) => operation),
    /** Classic callbacks as `id=…`, events as their type. */
    webhookTypes: async (): Promise<readonly string[]> => {
      await simulators.idle();
      return webhooks.map(({ raw }) => (raw.startsWith('{') ? String(JSON.parse(raw).type) : raw));
    },
    webhooks,
    isSigned: ({ raw, signature }: Webhook, by = SECRET) =>
      signature === `sha256=${createHmac('sha256', by).update(raw).digest('hex')}`,
    close,
  };
}

export type Testbed = Awaited<ReturnType<typeof startTestbed>>;

export const charge = (paymentId: string, change: object = {}): object => ({
  amount: { currency: 'EUR', value: '20.00' },
  description: 'Order 7',
  redirectUrl: 'https://shop.example/back?order=7',
  webhookUrl: `https://pay.example/webhooks/mollie?payment_id=${paymentId}`,
  metadata: { payment_id: paymentId },
  method: 'creditcard',
  cardToken: 'ok',
  ...change,
});

/** Without a token: paid on the page. */
export const onPage = (paymentId: string, change: object = {}): object =>
  charge(paymentId, { cardToken: undefined, ...change });
