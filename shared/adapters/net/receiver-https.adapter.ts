import type { LookupFunction } from 'node:net';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';
import { makeNameResolver, type NameResolver } from '#shared/adapters/net/name-resolver.ts';
import { retryAfterSeconds } from '#shared/adapters/net/retry-after.rules.ts';
import { NOT_PUBLIC, type ReceiverOptions, readReceiver } from '#shared/domain/reference/receiver-address.rules.ts';
import { type Clock, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { ReceiverPort } from '#shared/ports/receiver.port.ts';

export type ReceiverSetup = ReceiverOptions & { readonly clock: Clock; readonly resolve?: NameResolver };

const PATIENCE = 3 * SECOND;

export function makeReceiver({ clock, resolve = makeNameResolver(), ...rules }: ReceiverSetup): ReceiverPort {
  return {
    async check(text) {
      const receiver = readReceiver(text, rules);
      if (!receiver.url) throw new AppError('url_not_allowed', receiver.refusal);
      const name = receiver.url.hostname.replace(/^\[|\]$/g, '');
      const addresses = await resolve(name, AbortSignal.timeout(PATIENCE)).catch(() => []);
      if (!addresses.every(({ address }) => receiver.allows(address)))
        throw new AppError('url_not_allowed', NOT_PUBLIC);
    },
    async post({ url: text, headers, body, timeoutMs }) {
      const started = monotonic();
      const spent = () => Math.round(monotonic() - started);
      const receiver = readReceiver(text, rules);
      if (!receiver.url) return { statusCode: null, durationMs: 0, error: 'not allowed' };
      const over = new AbortController();
      try {
        const lookup = checked((name) => resolve(name, over.signal), receiver.allows);
        const head = await postForHead({ url: receiver.url, headers, body, timeoutMs, lookup });
        return {
          statusCode: head.status,
          durationMs: spent(),
          error: null,
          retryAfter: retryAfterSeconds(head.headers['retry-after'], clock.now()),
        };
      } catch (error) {
        return { statusCode: null, durationMs: spent(), error: wordFor(error) };
      } finally {
        over.abort();
      }
    },
  };
}

/**
 * Connects to the very addresses that were checked: DNS can't change in between. One forbidden address refuses the
 * name.
 */
function checked(
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

/** The first match. Organizations read these; they reveal nothing about our network. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^NOT_ALLOWED$/, 'not allowed'],
  [/^ENOTFOUND$/, 'unknown host'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ECONNRESET|EPIPE)$/, 'connection reset'],
  [/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/, 'tls'],
  [/^(HPE_|NO_ANSWER$)/, 'invalid answer'],
];

function wordFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable';
}
