import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Scenario, SimulatedCall } from '#lib/simulators/simulators.port.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** Steps of a shop, its customers and its provider in tests of payments, all over HTTP. */

type More = Readonly<Record<string, unknown>>;

export const create = (host: TestHost, body: Body = aPaymentBody(), how: CallOptions = {}): Promise<ApiResponse> =>
  host.call('POST', '/v1/payments', body, how);

/** A payment whose outcome is decided by the token of its card. */
export const pay = async (host: TestHost, token = 'ok', more: More = {}, how: CallOptions = {}): Promise<Body> =>
  (await create(host, aPaymentBody(token, more), how)).body;

/** As above, with a token that is valid at every connection of the provider, so that the payment can fail over. */
export const payAnywhere = async (
  host: TestHost,
  token = 'ok',
  more: More = {},
  how: CallOptions = {},
): Promise<Body> =>
  (
    await create(
      host,
      { amount: 5_000, currency: 'EUR', payment_method: { type: 'card', tokens: { stripe: token } }, ...more },
      how,
    )
  ).body;

/** A payment without a token, whose customer is sent to the provider's page. */
export const payOnPage = async (host: TestHost, more: More = {}, how: CallOptions = {}): Promise<Body> =>
  (await create(host, { amount: 5_000, currency: 'EUR', ...more }, how)).body;

export const anIntent = async (host: TestHost, token = 'ok', more: More = {}, how: CallOptions = {}): Promise<Body> =>
  (await host.call('POST', '/v1/payments/intents', aPaymentBody(token, more), how)).body;

export type Action = 'confirm' | 'capture' | 'cancel' | 'refund' | 'retry';

export const act = (
  host: TestHost,
  id: string,
  action: Action,
  body?: Body,
  how: CallOptions = {},
): Promise<ApiResponse> => host.call('POST', `/v1/payments/${id}/${action}`, body, how);

export const read = async (host: TestHost, id: string, how: CallOptions = {}): Promise<Body> =>
  (await host.call('GET', `/v1/payments/${id}`, undefined, how)).body;

/** An action of the customer or the bank, and everything that follows from it. */
export async function complete(host: TestHost, reference: string, outcome: 'succeeded' | 'failed'): Promise<void> {
  await host.control('POST', '/psp/complete', { provider: 'stripe', reference, outcome });
  await drain(host);
}

export const drain = (host: TestHost): Promise<ApiResponse> => host.control('POST', '/drain');
export const advance = (host: TestHost, by: string): Promise<ApiResponse> =>
  host.control('POST', '/clock', { advance: by });

export const arrange = (host: TestHost, behaviour: string, more: Partial<Scenario> = {}): Promise<ApiResponse> =>
  host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour, ...more });

export type Money = {
  readonly amount: number;
  readonly refunded: number;
  readonly currency: string;
  readonly count: number;
};

/** The money that the provider charged and refunded for this payment. */
export const moneyOf = async (host: TestHost, id: string): Promise<Money> =>
  (await host.control('GET', `/psp/calls?payment_id=${id}`)).body.charges[id] ?? {
    amount: 0,
    refunded: 0,
    currency: '',
    count: 0,
  };

/** The provider calls about this payment, oldest first. */
export const callsAbout = async (host: TestHost, id: string): Promise<readonly SimulatedCall[]> =>
  (await host.control('GET', `/psp/calls?payment_id=${id}`)).body.calls;

export const operationsOf = async (host: TestHost, id: string): Promise<string[]> =>
  (await callsAbout(host, id)).map(({ operation }) => operation);

const timesCalled = async (host: TestHost, operation: string): Promise<number> =>
  (await host.control('GET', '/psp/calls')).body.calls.filter((call: Body) => call.operation === operation).length;

/** Starts a request, and returns once the provider has received it. */
export async function begin(
  host: TestHost,
  operation: string,
  request: () => Promise<ApiResponse>,
): Promise<{ readonly answer: Promise<ApiResponse> }> {
  const before = await timesCalled(host, operation);
  const answer = request();
  while ((await timesCalled(host, operation)) === before) await pause(2);
  return { answer };
}

/** The payment's events, oldest first. */
export async function eventsOf(host: TestHost, id: string, how: CallOptions = {}): Promise<Body[]> {
  await drain(host);
  const { events } = (await host.call('GET', '/v1/webhooks/events?limit=200', undefined, how)).body;
  const born = ({ type }: Body) => Number(type !== 'payment.created');
  // Events of the same millisecond have no order in the list.
  return events
    .filter(({ data }: Body) => data.id === id)
    .sort((a: Body, b: Body) => a.created_at.localeCompare(b.created_at) || born(a) - born(b));
}

export const eventTypesOf = async (host: TestHost, id: string, how: CallOptions = {}): Promise<string[]> =>
  (await eventsOf(host, id, how)).map(({ type }) => type.replace('payment.', ''));

export const keyWith = async (host: TestHost, scopes: readonly string[], how: CallOptions = {}): Promise<string> =>
  (await host.call('POST', '/v1/api-keys', { name: 'limited', scopes }, how)).body.key;

export type Shop = TestOrganization & {
  /** The credentials of each connection, by its id. */
  readonly credentials: Readonly<Record<string, { readonly secret_key: string; readonly webhook_secret: string }>>;
};

/** An organization of its own, with connections with these ids; payments go to the alphabetically first. */
export async function aShop(host: TestHost, connections: Readonly<Record<string, More>>): Promise<Shop> {
  const org = await anOrganization(host);
  const credentials: Record<string, Body> = {};
  for (const [id, more] of Object.entries(connections)) {
    credentials[id] = randomCredentials('stripe', 'sandbox');
    await aConnection(host, org, { id, credentials: credentials[id], ...more });
  }
  return { ...org, credentials };
}

/** A request directly to the provider, as the merchant's dashboard or another program makes it. */
export async function askProvider(
  host: TestHost,
  secretKey: string,
  method: 'GET' | 'POST',
  path: string,
  form: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const sent = method === 'POST' && { body: new URLSearchParams(form) };
  const reply = await fetch(`${host.info.simulators}/stripe${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, ...headers },
    ...sent,
  });
  return reply.json();
}

type Callback = { readonly type: string; readonly object: Body; readonly id?: string };

/** An event in the provider's format. */
export const eventText = ({ type, object, id = `evt_${randomUUID()}` }: Callback): string =>
  JSON.stringify({ id, object: 'event', type, data: { object } });

/** The provider's signature of a text, made at this second. */
export const signatureOf = (text: string, secret: string, time: number): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`;

/** Sends an event to the service, signed with this secret as the provider signs. */
export async function bring(
  host: TestHost,
  text: string,
  secret: string,
  to = `${host.info.api}/webhooks/stripe`,
): Promise<ApiResponse> {
  const signature = signatureOf(text, secret, Math.floor(host.clock.now().getTime() / 1_000));
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const reply = await fetch(to, { method: 'POST', headers, body: text });
  const said = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text: said,
    body: said.startsWith('{') ? JSON.parse(said) : undefined,
  };
}

export const faultsIn = ({ body }: ApiResponse): string[] => body.details.fields.map(({ path }: Body) => path);
