import type { WithResponse } from './api-promise.ts';
import type { ClientErrorCode, ErrorCode } from './errors.ts';
import { PayforkError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { parsed } from './parsed.ts';
import { errorToTell, isLost, retryAfterSeconds, retryDelay } from './retry.rules.ts';

/** What every request of a client has in common. */
export type Settings = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: 'include' | 'omit';
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly fetch: typeof fetch;
};

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: object | undefined;
  /** The key of all tries. Only a change that honours one may be sent again. */
  readonly idempotencyKey?: string | undefined;
  readonly repeatable: boolean;
  readonly options: RequestOptions;
};

/** A timer for longer would end at once. `Infinity` means no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Sends a request until it has an answer that a repeat would not change. */
export async function send(request: ApiRequest, settings: Settings): Promise<WithResponse<unknown>> {
  const { maxRetries = settings.maxRetries, totalTimeoutMs = settings.totalTimeoutMs, signal } = request.options;
  const retries = request.repeatable ? maxRetries : 0;
  const endsAt = Date.now() + totalTimeoutMs;
  let lost: PayforkError | undefined;
  for (let retry = 0; ; retry += 1) {
    try {
      return await sendOnce(request, settings, endsAt - Date.now());
    } catch (error) {
      const delay = retry < retries ? retryDelay(error, retry, Math.random()) : undefined;
      // A pause that ends too late would only keep the caller from the error.
      if (delay === undefined || Date.now() + delay >= endsAt) throw errorToTell(error, lost);
      if (request.method !== 'GET' && isLost(error)) lost = error;
      await wait(delay, signal);
    }
  }
}

async function sendOnce(request: ApiRequest, settings: Settings, leftMs: number): Promise<WithResponse<unknown>> {
  const { signal, timeoutMs = settings.timeoutMs } = request.options;
  const limitMs = Math.ceil(Math.min(timeoutMs, Math.max(leftMs, 0), MAX_TIMER_MS));
  const timeout = AbortSignal.timeout(limitMs);
  try {
    const response = await settings.fetch(settings.baseUrl + request.path, {
      method: request.method,
      headers: headersOf(request, settings),
      credentials: settings.credentials,
      // An address that leads elsewhere must not learn the key.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(request.body && { body: JSON.stringify(request.body) }),
    });
    return answerOf(response, await response.text(), request);
  } catch (error) {
    if (error instanceof PayforkError) throw error;
    signal?.throwIfAborted();
    throw withoutResponse(request, timeout.aborted ? limitMs : undefined, error);
  }
}

function headersOf({ body, idempotencyKey, options }: ApiRequest, { headers }: Settings): Record<string, string> {
  return {
    ...headers,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(options.actorId && { 'x-actor-id': options.actorId }),
  };
}

function withoutResponse({ method, path, idempotencyKey }: ApiRequest, timeoutMs: number | undefined, cause: unknown) {
  const what = `${method} ${path.replace(/\?.*/, '')}`;
  const [code, message]: readonly [ClientErrorCode, string] =
    timeoutMs === undefined
      ? ['connection_failed', `${what} could not be sent, or its response was lost.`]
      : ['timed_out', `${what} had no response within ${timeoutMs} ms.`];
  return new PayforkError({ status: 0, code, message, idempotencyKey, cause });
}

/** The answer of a success. Throws what the API calls the failure otherwise. */
function answerOf({ status, ok, type, headers }: Response, text: string, { idempotencyKey }: ApiRequest) {
  const data = parsed(text);
  const requestId = headers.get('x-request-id') ?? undefined;
  const replayed = headers.get('idempotency-replayed') === 'true';
  if (ok && data !== undefined) return { data, status, headers, requestId, replayed };
  const { code, message, details, doc_url: docUrl } = isProblem(data) ? data : unreadable(status, type);
  const retryAfter = retryAfterSeconds(headers.get('retry-after'), Date.now());
  const said = headers.get('x-should-retry');
  const shouldRetry = said === null ? undefined : said === 'true';
  throw new PayforkError({
    status,
    code,
    message,
    details,
    docUrl,
    requestId,
    retryAfter,
    shouldRetry,
    idempotencyKey,
  });
}

type ShownProblem = {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly details?: PayforkError['details'];
  readonly doc_url?: string;
};

const isProblem = (body: unknown): body is ShownProblem =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body;

const unreadable = (status: number, type: string): ShownProblem => ({
  code: 'unreadable_response',
  message:
    // A browser hides the status of a redirect.
    type === 'opaqueredirect' || (status >= 300 && status < 400)
      ? 'The response leads to another address. Set baseUrl to that of the API.'
      : `The response with status ${status} is not one of the API.`,
});

/** Rejects as soon as the caller gives up. */
const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
