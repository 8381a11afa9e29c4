import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import type { Simulators } from '#lib/simulators/simulator.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

export const SECRET = 'whsec_of_the_shop';
export const KEY = 'sk_test_shop';
const START = Date.parse('2027-03-01T10:00:00Z');

/** JSON of which a test looks at a few fields. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is asserted on field by field.
export type Json = any;

type Hook = {
  readonly event: Json;
  readonly raw: string;
  readonly signature: string;
  readonly at: number;
  readonly answered: number;
};

/** A merchant's endpoint: what it got, and what it answers (200 where nothing is left of `statuses`). */
async function openEndpoint() {
  const hooks: Hook[] = [];
  const statuses: number[] = [];
  let delay = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const at = performance.now();
    await new Promise((resolve) => setTimeout(resolve, delay));
    const status = statuses.shift() ?? 200;
    hooks.push({
      event: JSON.parse(raw),
      raw,
      signature: String(request.headers['stripe-signature']),
      at,
      answered: performance.now(),
    });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    hooks,
    statuses,
    slow: (ms: number) => {
      delay = ms;
    },
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    types: () => hooks.map(({ event }) => event.type),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Form = Readonly<Record<string, string>>;
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json; readonly text: string };

type Sending = {
  readonly key?: string;
  readonly secret?: string;
  readonly version?: string;
  readonly signal?: AbortSignal;
};

function wire(base: () => string) {
  const send = async (
    method: string,
    path: string,
    { key, secret = KEY, version, signal }: Sending,
    body?: Form,
  ): Promise<Answer> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(key && { 'idempotency-key': key }),
      ...(version && { 'stripe-version': version }),
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await fetch(`${base()}/stripe${path}`, {
      method,
      headers,
      signal: signal ?? null,
      body: body ? new URLSearchParams(body).toString() : null,
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  };
  return {
    post: (path: string, body: Form = {}, sending: Sending = {}) => send('POST', path, sending, body),
    get: (path: string, sending: Sending = {}) => send('GET', path, sending),
    /** What a customer's browser does with a form, redirects not followed. */
    browse: async (url: string, choice?: string) => {
      const answer = await fetch(url, {
        redirect: 'manual',
        ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
      });
      return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
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

/** Simulators with one learnt account and its endpoint, on a clock that tests move. */
export async function stage({
  database = ':memory:',
  learn = true,
}: {
  readonly database?: string;
  readonly learn?: boolean;
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
  if (learn) simulators.learnAccount('stripe', { secret_key: KEY, webhook_secret: SECRET }, 'Sock Shop Ltd');
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
    hooks: async (): Promise<readonly Hook[]> => {
      await simulators.idle();
      return endpoint.hooks;
    },
    verify: ({ raw, signature }: Hook, secret = SECRET) =>
      Stripe.webhooks.constructEvent(raw, signature, secret, 300, undefined, now),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const IN_A_PROCESS = `
const { startSimulators } = await import('#lib/simulators/simulators.ts');
const plain = (text) => text;
const options = { port: 0, database: process.argv[1], clock: { now: () => new Date(${START}) }, webhookBase: () => '', protect: { seal: plain, open: plain } };
console.log((await startSimulators(options)).base);
`;

/** Simulators in a process of their own, to be killed. */
export async function startProcess(database: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', IN_A_PROCESS, database], {
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

export type Stage = Awaited<ReturnType<typeof stage>>;
