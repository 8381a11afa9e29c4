import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { NOT_PUBLIC, type ReceiverOptions, readReceiver } from '#shared/domain/receiver-address.rules.ts';
import { type Clock, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { postForHead } from '#shared/net/head-exchange.ts';
import { retryAfterSeconds } from '#shared/net/retry-after.rules.ts';
import type { ReceiverPort } from '#shared/ports/receiver.port.ts';

export type Address = { readonly address: string; readonly family: number };
/** All addresses of a name; throws where there are none. */
export type Resolver = (name: string) => Promise<readonly Address[]>;

export type ReceiverSetup = ReceiverOptions & { readonly clock: Clock; readonly resolve?: Resolver };

const PATIENCE = 3 * SECOND;

export function makeReceiver({ clock, resolve = (name) => systemLookup(name, { all: true }), ...rules }: ReceiverSetup): ReceiverPort {
  return {
    async check(text) {
      const receiver = readReceiver(text, rules);
      if (!receiver.url) throw new AppError('url_not_allowed', receiver.refusal);
      const name = receiver.url.hostname.replace(/^\[|\]$/g, '');
      const addresses = await Promise.race([resolve(name).catch(() => []), wait(PATIENCE, [], { ref: false })]);
      if (!addresses.every(({ address }) => receiver.allows(address))) throw new AppError('url_not_allowed', NOT_PUBLIC);
    },
    async post({ url: text, headers, body, timeoutMs }) {
      const started = monotonic();
      const spent = () => Math.round(monotonic() - started);
      const receiver = readReceiver(text, rules);
      if (!receiver.url) return { statusCode: null, durationMs: 0, error: 'not allowed' };
      try {
        const head = await postForHead({ url: receiver.url, headers, body, timeoutMs, lookup: checked(resolve, receiver.allows) });
        return { statusCode: head.status, durationMs: spent(), error: null, retryAfter: retryAfterSeconds(head.headers['retry-after'], clock.now()) };
      } catch (error) {
        return { statusCode: null, durationMs: spent(), error: wordFor(error) };
      }
    },
  };
}

/** The addresses that were checked are the ones connected to: a name can't change in between. One bad address condemns the name. */
function checked(resolve: Resolver, allows: (address: string) => boolean): LookupFunction {
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

/** The first that fits. The organization reads these; an address in them would tell about our network. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^NOT_ALLOWED$/, 'not allowed'],
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'unknown host'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ECONNRESET|EPIPE)$/, 'connection reset'],
  [/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/, 'tls'],
  [/^HPE_/, 'invalid answer'],
];

function wordFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable';
}
