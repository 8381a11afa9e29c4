import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { RateState } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { Route } from '#shared/http/route.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import {
  currentWork,
  type IdempotencyRequest,
  inLogContext,
  newTraceId,
  type Operation,
  requestIdOf,
  spanOf,
} from '#shared/kernel/operation.ts';
import { redactText } from '#shared/kernel/redact.ts';
import { addSpan } from '#shared/kernel/spans.ts';
import type { CredentialKind, SignedInUser } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import type { RawRequest } from '#shared/ports/raw-request.port.ts';

export type ApiEvent = APIGatewayProxyEventV2;
export type ApiResult = APIGatewayProxyStructuredResultV2;

export type Credential = {
  readonly id: string;
  readonly orgId: string;
  readonly kind: CredentialKind;
  readonly scopes: readonly string[];
  readonly person?: SignedInUser;
  /** A key of an agent. */
  readonly agent?: true;
};

/** What the middleware learns about a request; each field is written by one of them. */
export type RequestState = Begun & {
  readonly route: Route;
  credential?: Credential;
  rate?: RateState;
  /** Set when a rate window is full: rejected only after organization and scope are checked. */
  exceeded?: { readonly retryAfter: number };
  input?: Record<string, unknown>;
  /** The query's part of the input. */
  query?: Record<string, unknown>;
  /** The body as it was sent, and as it was validated. */
  body?: { readonly sent: unknown; readonly validated: unknown };
  idempotencyRequest?: IdempotencyRequest;
  operation?: Operation;
  /** The idempotency claim that this request holds. */
  claimId?: string;
  handlerStarted?: boolean;
  /** For the log: whose request it was, and the resource that it made or concerned. */
  about?: { readonly org_id: string; readonly resource_id?: string };
  routingData?: Promise<RoutingData>;
  organization?: Promise<Organization | undefined>;
};

const states = new WeakMap<ApiEvent, RequestState>();

export const startState = (event: ApiEvent, state: RequestState): void => {
  states.set(event, state);
};

export function stateOf(event: ApiEvent): RequestState {
  const state = states.get(event);
  if (!state) throw new Error('The request has no state: its chain did not start.');
  return state;
}

/** The bytes as they were sent, which signatures cover. API Gateway encodes what isn't JSON or text. */
export const sentBytesOf = (event: ApiEvent): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

/** Bodies that were sent compressed, as they were before. */
const decompressed = new WeakMap<ApiEvent, Buffer>();
export const setDecompressed = (event: ApiEvent, body: Buffer): void => void decompressed.set(event, body);

/** What the body says, however it was sent: the same for a request and its repeat without compression. */
export const bodyOf = (event: ApiEvent): Buffer => decompressed.get(event) ?? sentBytesOf(event);

export const header = (event: Pick<ApiEvent, 'headers'>, name: string): string | undefined => event.headers[name];

export const sourceIp = (event: ApiEvent): string => event.requestContext.http.sourceIp;

/** The first of duplicates counts: browsers send that of the longer path first. */
export function cookiesOf({ cookies = [] }: Pick<ApiEvent, 'cookies'>): Readonly<Record<string, string>> {
  const pairs = cookies.map((text) => {
    const mark = text.indexOf('=');
    return [text.slice(0, mark).trim(), text.slice(mark + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.toReversed());
}

export const rawRequestOf = (event: ApiEvent): RawRequest => ({
  method: event.requestContext.http.method,
  headers: event.headers,
  rawBody: sentBytesOf(event),
  decompressed: decompressed.get(event),
  query: event.queryStringParameters ?? {},
  params: event.pathParameters ?? {},
  cookies: cookiesOf(event),
  ip: sourceIp(event),
});

export const MAX_ACTOR_LENGTH = 200;

/** How audit entries name the service itself. */
const OWN_NAME = 'system';

/** Whether a caller gives this name as their own, in whichever writing. */
export const isOwnName = (actor: string): boolean => actor.normalize('NFKC').toLowerCase() === OWN_NAME;

/** `parent`: the caller's span. `sampled`: the caller records this trace. */
type GivenTrace = { readonly id?: string; readonly parent?: string; readonly sampled: boolean };

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;

/** The trace that a caller's request belongs to, as W3C's header says it, or AWS's. */
function givenTrace(event: ApiEvent): GivenTrace {
  const [, id, parent, flags] = TRACEPARENT.exec(header(event, 'traceparent') ?? '') ?? [];
  if (id !== undefined && parent !== undefined)
    return { id, parent, sampled: Number.parseInt(`${flags}`, 16) % 2 === 1 };
  const amazons = header(event, 'x-amzn-trace-id') ?? '';
  const [, time, rest] = /Root=1-([0-9a-f]{8})-([0-9a-f]{24})/.exec(amazons) ?? [];
  if (time === undefined || rest === undefined) return { sampled: false };
  return { id: time + rest, sampled: /Sampled=1/.test(amazons) };
}

type Chain = (event: ApiEvent, context: Context) => Promise<ApiResult>;
type Begun = { readonly at: Date; readonly requestId: string; readonly clientRequestId: string | undefined };

const begun = new WeakMap<ApiEvent, Begun>();

/**
 * Every log line of a request names it, and the last one says how it ended: so that whoever knows an `X-Request-Id`
 * finds the resource, and with its id all that happened to it. The access log has the same id (ADR 60).
 */
export const traced =
  (chain: Chain, { clock, log }: Pick<Deps, 'clock' | 'log'>) =>
  (event: ApiEvent, context: object): Promise<ApiResult> => {
    const given = givenTrace(event);
    const clientRequestId = clientRequestIdOf(event);
    const at = clock.now();
    const gatewayId = event.requestContext.requestId;
    const requestId = requestIdOf(gatewayId, at);
    begun.set(event, { at, requestId, clientRequestId });
    const names = {
      request_id: requestId,
      ...(clientRequestId !== undefined && { client_request_id: clientRequestId }),
      ...(!requestId.endsWith(`_${gatewayId}`) && { gateway_request_id: gatewayId }),
      trace_id: given.id ?? newTraceId(),
    };
    const work = async () => {
      // The local host has the fields of it that functions read.
      const result = await compressed(event, await chain(event, context as Context));
      log.info('request_completed', { route: event.routeKey, status: result.statusCode, ...states.get(event)?.about });
      recordRequest(event, result, given, clock);
      return result;
    };
    return inLogContext(names, work, given.sampled);
  };

const CLIENT_REQUEST_ID = /^[\w-]{1,64}$/;

/** How the caller calls this request. What may be a key or a card number is logged and stored nowhere. */
function clientRequestIdOf(event: ApiEvent): string | undefined {
  const id = header(event, 'x-request-id');
  return id !== undefined && CLIENT_REQUEST_ID.test(id) && redactText(id) === id ? id : undefined;
}

/** In characters. The response of a payment is shorter: it shall not wait for a compression that saves two packets. */
const MIN_COMPRESSED_LENGTH = 4_096;

/**
 * Secrets stay uncompressed: whoever can choose a part of a response, and see its size, could guess the rest of it. So
 * do files, which come compressed or cannot be.
 */
async function compressed(event: ApiEvent, result: ApiResult): Promise<ApiResult> {
  const { body = '', isBase64Encoded, cookies } = result;
  const isSecret = cookies !== undefined || states.get(event)?.route.secretResponse === true;
  if (body.length < MIN_COMPRESSED_LENGTH || isBase64Encoded || isSecret) return result;
  return (await import('#shared/http/compress-response.ts')).compressResponse(header(event, 'accept-encoding'), result);
}

/** The span of the whole request, while spans are recorded. Its calls are recorded as they end. */
function recordRequest(event: ApiEvent, { statusCode = 200 }: ApiResult, { parent }: GivenTrace, clock: Clock): void {
  const work = currentWork.getStore();
  if (!work?.spans) return;
  const { at, requestId } = begunOf(event);
  addSpan(work, {
    id: spanOf(requestId),
    parent,
    name: event.routeKey,
    kind: 'SERVER',
    began: at.getTime(),
    ms: clock.now().getTime() - at.getTime(),
    // The path itself may hold a token.
    attributes: { 'http.request.method': event.requestContext.http.method, 'http.response.status_code': statusCode },
    failed: statusCode >= 500,
  });
}

/** When the request came, and its id: see `traced`. */
export function begunOf(event: ApiEvent): Begun {
  const found = begun.get(event);
  if (!found) throw new Error('The request has no id: its handler is not traced.');
  return found;
}

/** The person on whose behalf a key's holder acts; blank means none. A signed-in user acts as themselves. */
export function actorOf(event: ApiEvent): string | null {
  const { credential } = stateOf(event);
  if (credential?.person) return credential.person.userId;
  return decodeHeader(header(event, 'x-actor-id') ?? '').trim() || null;
}

/** Node reads each byte of a header as one character: a name in UTF-8 has to be decoded. */
function decodeHeader(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const isBytes = bytes.toString('latin1') === text;
  return isBytes && isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/**
 * The organization's routing data, read once per request. Reading starts early and may fail before it is awaited: that
 * must not be an unhandled rejection.
 */
export function routingDataOf(
  event: ApiEvent,
  orgId: string,
  { organizations }: Pick<Deps, 'organizations'>,
): Promise<RoutingData> {
  const state = stateOf(event);
  if (!state.routingData) {
    state.routingData = organizations.routingData(orgId);
    state.routingData.catch(() => undefined);
  }
  return state.routingData;
}

/** The organization alone; taken from the routing data where the route reads that. */
export async function organizationOf(
  event: ApiEvent,
  orgId: string,
  deps: Pick<Deps, 'organizations'>,
): Promise<Organization | undefined> {
  const state = stateOf(event);
  if (state.route.prefetch) return (await routingDataOf(event, orgId, deps)).organization;
  state.organization ??= deps.organizations.byId(orgId);
  return state.organization;
}

/** Starts reading what is needed once the key is verified: whether the organization may use the service, too. */
export function prefetch(event: ApiEvent, orgId: string, deps: Pick<Deps, 'organizations'>): void {
  if (stateOf(event).route.prefetch) void routingDataOf(event, orgId, deps);
  else void organizationOf(event, orgId, deps).catch(() => undefined);
}
