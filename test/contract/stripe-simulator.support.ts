import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

export const SECRET = 'whsec_of_the_shop';
export const KEY = 'sk_test_shop';
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test asserts a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert a response field by field.
export type Json = any;

type Webhook = {
  readonly event: Json;
  readonly raw: string;
  readonly signature: string;
  readonly at: number;
  readonly respondedAt: number;
};

/** A merchant's endpoint. It stores webhooks and responds with the next of `statuses`, or 200. */
async function openEndpoint() {
  const webhooks: Webhook[] = [];
  const statuses: number[] = [];
  let delay = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const at = performance.now();
    await new Promise((resolve) => setTimeout(resolve, delay));
    const status = statuses.shift() ?? 200;
    webhooks.push({
      event: JSON.parse(raw),
      raw,
      signature: String(request.headers['stripe-signature']),
      at,
      respondedAt: performance.now(),
    });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    webhooks,
    statuses,
    slow: (ms: number) => {
      delay = ms;
    },
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    types: () => webhooks.map(({ event }) => event.type),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Form = Readonly<Record<string, string>>;
type ApiResponse = { readonly status: number; readonly headers: Headers; readonly body: Json; readonly text: string };

type RequestOptions = {
  readonly key?: string;
  readonly secret?: string;
  readonly version?: string;
  readonly signal?: AbortSignal;
};

function wire(base: () => string) {
  const send = async (
    method: string,
    path: string,
    { key, secret = KEY, version, signal }: RequestOptions,
    body?: Form,
  ): Promise<ApiResponse> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(key && { 'idempotency-key': key }),
      ...(version && { 'stripe-version': version }),
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const response = await fetch(`${base()}/stripe${path}`, {
      method,
      headers,
      signal: signal ?? null,
      body: body ? new URLSearchParams(body).toString() : null,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  };
  return {
    post: (path: string, body: Form = {}, options: RequestOptions = {}) => send('POST', path, options, body),
    get: (path: string, options: RequestOptions = {}) => send('GET', path, options),
    /** Loads a page or presses a button like a customer's browser, without following redirects. */
    browse: async (url: string, choice?: string) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
    },
  };
}

export const charge = (paymentId: string, change: Form = {}): Form => ({
  amount: '2000',
  currency: 'eur',
  confirm: 'true',
  payment_method: 'ok',
  return_url: 'https://shop.example/back?order=7',
  'metadata[payment_id]': paymentId,
  ...change,
});

export const page = (paymentId: string, change: Form = {}): Form => ({
  mode: 'payment',
  success_url: 'https://shop.example/done?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/cart',
  'line_items[0][quantity]': '2',
  'line_items[0][price_data][currency]': 'eur',
  'line_items[0][price_data][unit_amount]': '1000',
  'line_items[0][price_data][product_data][name]': 'Socks',
  'payment_intent_data[metadata][payment_id]': paymentId,
  ...change,
});

/** Simulators with one registered account and its endpoint, on a clock that tests move. */
export async function startTestbed({
  database = ':memory:',
  register = true,
}: {
  readonly database?: string;
  readonly register?: boolean;
} = {}) {
  let now = START;
  const endpoint = await openEndpoint();
  const sealed: string[] = [];
  const options = {
    port: 0,
    database,
    clock: { now: () => new Date(now) },
    webhookBase: () => endpoint.address,
    protect: {
      seal: (text: string) => {
        sealed.push(text);
        return Buffer.from(text).toString('base64');
      },
      open: (text: string) => Buffer.from(text, 'base64').toString(),
    },
  };
  let simulators: Simulators = await startSimulators(options);
  const close = async () => {
    await simulators.close();
    endpoint.close();
  };
  if (register) simulators.registerAccount('stripe', { secret_key: KEY, webhook_secret: SECRET }, 'Sock Shop Ltd');
  return {
    ...wire(() => simulators.base),
    endpoint,
    sealed,
    simulators: () => simulators,
    advance: (ms: number) => {
      now += ms;
    },
    now: () => new Date(now),
    restart: async () => {
      await simulators.close();
      simulators = await startSimulators(options);
    },
    money: (paymentId: string) => simulators.calls({ payment_id: paymentId }).charges[paymentId],
    webhooks: async (): Promise<readonly Webhook[]> => {
      await simulators.idle();
      return endpoint.webhooks;
    },
    verify: ({ raw, signature }: Webhook, secret = SECRET) =>
      Stripe.webhooks.constructEvent(raw, signature, secret, 300, undefined, now),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const PROCESS_SCRIPT = `
const { startSimulators } = await import('#lib/simulators/simulators.ts');
const plain = (text) => text;
const options = { port: 0, database: process.argv[1], clock: { now: () => new Date(${START}) }, webhookBase: () => '', protect: { seal: plain, open: plain } };
console.log((await startSimulators(options)).base);
`;

/** Simulators in a process of their own, which tests kill. */
export async function startProcess(database: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROCESS_SCRIPT, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const base = String(line).trim();
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { ...wire(() => base), kill };
}

export type Testbed = Awaited<ReturnType<typeof startTestbed>>;
