import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulators } from '#lib/simulators/simulators.ts';

export const KEY = 'test_shop';
const SECRET = 'secret_of_the_shop';
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test looks at a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is asserted on field by field.
type Json = any;
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };
type Hook = { readonly path: string; readonly raw: string; readonly signature: string | undefined };
type Sending = {
  readonly key?: string;
  readonly secret?: string;
  readonly raw?: string;
  readonly type?: string;
  readonly signal?: AbortSignal;
};
export type Seen = { readonly method: string; readonly path: string; readonly status: number; readonly body: Json };

/**
 * Simulators with one account and its endpoint, on a clock that tests move. All answers are kept, to be held against
 * the document.
 */
export async function stage({ secret = SECRET }: { readonly secret?: string | null } = {}) {
  let now = START;
  const hooks: Hook[] = [];
  const seen: Seen[] = [];
  const endpoint = createServer(async (request, response) => {
    const raw = (await request.toArray()).join('');
    const signature = request.headers['x-mollie-signature'];
    hooks.push({ path: request.url ?? '', raw, signature: typeof signature === 'string' ? signature : undefined });
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
  simulators.learnAccount(
    'mollie',
    { api_key: KEY, ...(secret !== null && { webhook_secret: secret }) },
    'Sock Shop BV',
  );
  const send = async (
    method: string,
    path: string,
    { key, secret: bearer = KEY, raw, type = 'application/json', signal }: Sending = {},
    body?: object,
  ): Promise<Answer> => {
    const text = raw ?? (body && JSON.stringify(body));
    const headers = {
      ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
      ...(key && { 'idempotency-key': key }),
      ...(text && { 'content-type': type }),
    };
    const answer = await fetch(`${simulators.base}/mollie${path}`, {
      method,
      headers,
      body: text ?? null,
      signal: signal ?? null,
    });
    const got = await answer.text();
    const parsed: Json = got.startsWith('{') ? JSON.parse(got) : got;
    seen.push({ method, path: path.replace(/\?.*/, ''), status: answer.status, body: parsed });
    return { status: answer.status, headers: answer.headers, body: parsed };
  };
  const close = async () => {
    await simulators.close();
    endpoint.closeAllConnections();
    endpoint.close();
  };
  return {
    simulators,
    seen,
    post: (path: string, body?: object, sending?: Sending) => send('POST', path, sending, body),
    get: (path: string, sending?: Sending) => send('GET', path, sending),
    delete: (path: string, sending?: Sending) => send('DELETE', path, sending),
    /** What a customer's browser does with a form, redirects not followed. */
    browse: async (url: string, choice?: string) => {
      const answer = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
    },
    advance: (ms: number) => {
      now += ms;
    },
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    operations: (paymentId: string) =>
      simulators.calls({ payment_id: paymentId }).calls.map(({ operation }) => operation),
    /** Classic ones as `id=…`, signed ones by their type. */
    told: async (): Promise<readonly string[]> => {
      await simulators.idle();
      return hooks.map(({ raw }) => (raw.startsWith('{') ? String(JSON.parse(raw).type) : raw));
    },
    hooks,
    isSigned: ({ raw, signature }: Hook, by = SECRET) =>
      signature === `sha256=${createHmac('sha256', by).update(raw).digest('hex')}`,
    close,
  };
}

export type Stage = Awaited<ReturnType<typeof stage>>;

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
