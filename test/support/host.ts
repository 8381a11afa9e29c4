import { randomUUID } from 'node:crypto';
import { ROUTES } from '#functions/route-table.ts';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Call } from '#lib/local/invocation.ts';
import { type LocalHost, type LocalHostOptions, startLocalHost } from '#lib/local/local-host.ts';
import { simulatorsHere } from '#lib/local/simulators-start.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { recordClientUse } from '#test/support/client-use.ts';
import { recordExample } from '#test/support/examples/record-example.ts';
import { hostStore } from '#test/support/host-store.ts';
import { responseCheck } from '#test/support/response-check.ts';
import { testTime } from '#test/support/test-time.ts';
import { throughClient } from '#test/support/through-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Body = any;
export type ApiResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
};

export type CallOptions = {
  /** Any API key; by default the demo organization's service key, and none for `null`. */
  readonly key?: string | null;
  /** By default a new one for each POST, PATCH and DELETE, and none for `null`. */
  readonly idempotencyKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export type LogLine = {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type TestHost = LocalHost<Simulators> & {
  /**
   * A request to the API over HTTP, whose response must match the OpenAPI document. What a shop could send by the typed
   * client goes through it. A body of text or bytes is sent unchanged.
   */
  readonly call: (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<ApiResponse>;
  /**
   * A request to the control server. Throws if it is refused: a fault that is not armed, or a time that does not pass,
   * would leave a test that proves nothing.
   */
  readonly control: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
  /** The same for tests of its refusals. */
  readonly controlReply: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
  readonly logged: readonly LogLine[];
  /** The number of responses that were checked against the document. */
  readonly checked: () => number;
};

/** A message that always fails reaches the dead-letter queue after half a second, not after twenty. */
const BACK_OFF_MS = 5;

/** For hosts whose PSPs do not respond: hangs up early. Omit it where the timeout itself matters. */
export const HANG_UP_AFTER_MS = 5;

/**
 * A local host of this test's own, in memory, on free ports, with a demo connection at Stripe only. Close it in
 * `afterAll`.
 */
export async function startHost(options: Partial<LocalHostOptions> = {}): Promise<TestHost> {
  const logged: LogLine[] = [];
  const defaults = {
    port: 0,
    dataDir: ':memory:',
    stage: 'sandbox',
    rateLimits: false,
    pspUrls: {},
    demoProviders: ['stripe'],
    backOffMs: BACK_OFF_MS,
    log: logInto(logged),
    realTime: testTime,
  } as const;
  const check = await responseCheck();
  const viaClient = await throughClient();
  const host = await startLocalHost({ ...defaults, ...hostStore(), ...options }, simulatorsHere);
  let checked = 0;
  const controlReply: TestHost['controlReply'] = (method, path, body) =>
    request(method, host.controlUrl + path, body, body === undefined ? {} : JSON_TYPE);
  return {
    ...host,
    logged,
    close: async () => {
      await host.close();
      recordClientUse();
      assertNoneDenied(logged);
    },
    checked: () => checked,
    call: async (method, path, body, how) => {
      const options = { key: host.info.keys.service, ...how };
      const answer =
        (await viaClient(host.info.api, { ...options, method, address: path, body })) ??
        (await request(method, host.info.api + path, body, headersFor(method, body, options)));
      check(method, path, answer);
      recordExample(method, path, body, answer);
      checked += 1;
      return answer;
    },
    control: async (method, path, body) => accepted(`${method} ${path}`, await controlReply(method, path, body)),
    controlReply,
  };
}

/** The control server's reply to a request that it must not refuse. */
export function accepted(what: string, reply: ApiResponse): ApiResponse {
  if (reply.status >= 400) throw new Error(`${what} of the control server: ${reply.status} ${reply.text}`);
  return reply;
}

/** On AWS the function would have failed there, even if its caller did without the answer. */
function assertNoneDenied(logged: readonly LogLine[]): void {
  const denied = logged.filter(({ event }) => event === 'call_denied');
  const missing = new Set(denied.map(({ fields }) => `Missing in ${fields.rights}: ${fields.denied}.`));
  if (missing.size > 0) throw new Error([...missing].join('\n'));
}

const JSON_TYPE = { 'content-type': 'application/json' };

function headersFor(
  method: string,
  body: unknown,
  { key, idempotencyKey, headers }: CallOptions,
): Record<string, string> {
  const usual = method === 'GET' ? null : randomUUID();
  const claimed = idempotencyKey === undefined ? usual : idempotencyKey;
  return {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(claimed !== null && { 'idempotency-key': claimed }),
    ...(body !== undefined && JSON_TYPE),
    ...headers,
  };
}

async function request(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const reply = await fetch(url, {
    method,
    headers,
    body: plain ? (body as string | undefined) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: parsed(text), text };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const logInto = (lines: LogLine[]): LogPort => ({
  info: (event, fields = {}) => void lines.push({ level: 'info', event, fields }),
  warn: (event, fields = {}) => void lines.push({ level: 'warn', event, fields }),
  error: (event, fields = {}) => void lines.push({ level: 'error', event, fields }),
});

export type TestOrganization = { readonly org_id: string; readonly key: string };

/** Another organization with a service key with all scopes. */
export async function anOrganization(
  host: TestHost,
  wish: Readonly<Record<string, unknown>> = {},
): Promise<TestOrganization> {
  return (
    await host.control('POST', '/organizations', { name: 'Another Shop', legal_name: 'Another Shop Ltd', ...wish })
  ).body;
}

/** A connection of that organization, on its provider's simulator. */
export async function aConnection(
  host: TestHost,
  { key }: Pick<TestOrganization, 'key'>,
  body: { readonly provider?: Provider; readonly [field: string]: unknown } = {},
): Promise<Body> {
  const { provider = 'stripe' } = body;
  return (
    await host.call(
      'POST',
      '/v1/connections',
      { credentials: randomCredentials(provider, host.deps.config.stage), ...body, provider },
      { key },
    )
  ).body;
}

/** A payment as a client creates it; the token decides the outcome. */
export const aPaymentBody = (token = 'ok', more: Readonly<Record<string, unknown>> = {}) => ({
  amount: 5_000,
  currency: 'EUR',
  payment_method: { type: 'card', token },
  ...more,
});

/**
 * The outgoing calls of invocations while `work` runs, each of which may crash. Earlier work is finished first: it would
 * make calls of its own, and a record from which the relay takes an event meanwhile is written twice.
 */
export async function callsOf(
  host: Pick<LocalHost, 'onCall' | 'drain'>,
  work: () => Promise<unknown>,
  group?: string,
): Promise<readonly Call[]> {
  await host.drain();
  const calls: Call[] = [];
  const stop = host.onCall((call) => {
    if (group === undefined || call.group === group) calls.push(call);
  });
  await work();
  stop();
  return calls;
}

/** Those of the functions that serve requests: schedules and the stream's consumers run at any time. */
export const requestCallsOf = async (
  host: Pick<LocalHost, 'onCall' | 'drain'>,
  work: () => Promise<unknown>,
): Promise<readonly Call[]> => (await callsOf(host, work)).filter(({ group }) => Object.hasOwn(ROUTES, group));
