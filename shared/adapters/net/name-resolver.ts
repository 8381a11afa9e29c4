import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SECOND } from '#shared/kernel/clock.ts';

export type Address = { readonly address: string; readonly family: number };
/** All addresses of a name; throws if there are none, or none are known when the signal aborts. */
export type NameResolver = (name: string, signal: AbortSignal) => Promise<readonly Address[]>;

/**
 * The second try waits twice as long, so a name server that does not respond costs 6 to 7 s. A slow one has the address
 * cached for the next delivery.
 */
const LOOKUP_LIMITS = { timeout: 2 * SECOND, tries: 2 } as const;

const LOCALHOST: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Queries the name servers directly. The system's look-up cannot be aborted and runs few at a time, so that one slow
 * name would delay all others, calls to PSPs included. The hosts file and search domains are not used.
 */
export function makeNameResolver(servers?: readonly string[]): NameResolver {
  return async (name, signal) => {
    if (isIP(name)) return [{ address: name, family: isIP(name) }];
    if (name === 'localhost') return LOCALHOST;
    signal.throwIfAborted();
    // One resolver per look-up: canceling it affects no other, and it reads the current server list.
    const resolver = new Resolver(LOOKUP_LIMITS);
    if (servers) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', stop);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length === 0) throw new UnknownHost();
    return found;
  };
}

/** If one address family is missing or fails, the other's addresses are used: only found addresses are connected to. */
const addressesOf = (result: PromiseSettledResult<readonly string[]>, family: number): readonly Address[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

/**
 * One code for an unknown name, no response, a failure or no server. The name server's own `ECONNREFUSED` would look
 * like the endpoint's.
 */
class UnknownHost extends Error {
  readonly code = 'ENOTFOUND';
}
