import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SECOND } from '#shared/kernel/clock.ts';

export type Address = { readonly address: string; readonly family: number };
/** All addresses of a name. Throws if there are none, or if the signal aborts first. */
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
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', stop);
    const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
    if (found.length === 0) throw new UnknownHost();
    return found;
  };
}

/** No addresses if the look-up of this family failed: the other family's addresses are used. */
const addressesOf = (result: PromiseSettledResult<readonly string[]>, family: number): readonly Address[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

/**
 * One error code for every failed look-up. A name server's own `ECONNREFUSED` would look as if the endpoint had refused
 * the connection.
 */
class UnknownHost extends Error {
  readonly code = 'ENOTFOUND';
}
