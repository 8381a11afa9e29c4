import type { LookupFunction } from 'node:net';
import { retryAfterSeconds } from '#shared/adapters/net/exchange.ts';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';
import { makeNameResolver, type NameResolver } from '#shared/adapters/net/name-resolver.ts';
import { makeReceiverConnections } from '#shared/adapters/net/receiver-connections.ts';
import { NOT_PUBLIC_URL, type PublicUrlOptions, parsePublicUrl } from '#shared/domain/reference/public-url.rules.ts';
import { responseStart } from '#shared/domain/webhooks/response-start.rules.ts';
import { type Clock, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { traceparent } from '#shared/kernel/operation.ts';
import { endsInEncodedBlank, hasInvisible } from '#shared/kernel/text.ts';
import type { WebhookHttpPort } from '#shared/ports/webhook-http.port.ts';

export type WebhookHttpOptions = PublicUrlOptions & { readonly clock: Clock; readonly resolve?: NameResolver };

const LOOKUP_TIMEOUT_MS = 3 * SECOND;

export function makeWebhookHttp({
  clock,
  resolve = makeNameResolver(),
  ...rules
}: WebhookHttpOptions): WebhookHttpPort {
  const connections = makeReceiverConnections();
  return {
    async check(text) {
      assertTypedUrl(text);
      const receiver = parsePublicUrl(text, rules);
      if (!receiver.url) throw new AppError('url_not_allowed', receiver.reason);
      const name = receiver.url.hostname.replace(/^\[|\]$/g, '');
      const addresses = await resolve(name, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)).catch(() => []);
      if (!addresses.every(({ address }) => receiver.allows(address)))
        throw new AppError('url_not_allowed', NOT_PUBLIC_URL);
    },
    async post({ url: text, headers, body, timeoutMs }) {
      const started = monotonic();
      const elapsed = () => Math.round(monotonic() - started);
      const receiver = parsePublicUrl(text, rules);
      if (!receiver.url) return { statusCode: null, durationMs: 0, error: 'not allowed' };
      let lookUp: AbortController | undefined;
      const resolveNow = (name: string) => {
        lookUp = new AbortController();
        return resolve(name, lookUp.signal);
      };
      try {
        const lookup = checkedLookup(resolveNow, receiver.allows);
        const traced = { ...traceparent(), ...headers };
        const head = await postForHead({ url: receiver.url, headers: traced, body, timeoutMs, lookup, connections });
        const response = responseStart(head.bodyStart, head.headers['content-encoding']);
        return {
          statusCode: head.status,
          durationMs: elapsed(),
          error: null,
          ...(response !== undefined && { response }),
          retryAfter: retryAfterSeconds(head.headers['retry-after'], clock.now()),
        };
      } catch (error) {
        return { statusCode: null, durationMs: elapsed(), error: errorText(error) };
      } finally {
        lookUp?.abort();
      }
    },
  };
}

/** What comes along when an address is copied would be a part of its path, and every delivery a 404. */
function assertTypedUrl(text: string): void {
  if (hasInvisible(text) || /\s/u.test(text))
    throw new AppError(
      'url_not_allowed',
      'The URL must not contain a blank or an invisible character. Type it instead of pasting it. A blank that belongs ' +
        'to it is written %20.',
    );
  if (endsInEncodedBlank(text))
    throw new AppError(
      'url_not_allowed',
      'The URL ends in an encoded blank or invisible character, such as %20 or %C2%A0. Remove it.',
    );
}

/**
 * Connects only to addresses that were checked, so that DNS cannot change in between. One forbidden address forbids the
 * name.
 */
function checkedLookup(
  resolve: (name: string) => ReturnType<NameResolver>,
  allows: (address: string) => boolean,
): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => allows(address))) callback(new NotAllowed(), '');
        else if (all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

class NotAllowed extends Error {
  readonly code = 'NOT_ALLOWED';
}

/** The first match is used. Organizations read these texts: they must reveal nothing about this network. */
const ERROR_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^NOT_ALLOWED$/, 'not allowed'],
  [/^ENOTFOUND$/, 'unknown host'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ECONNRESET|EPIPE)$/, 'connection reset'],
  [/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/, 'tls'],
  [/^(HPE_|NO_RESPONSE$)/, 'invalid response'],
];

function errorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ERROR_TEXTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable';
}
