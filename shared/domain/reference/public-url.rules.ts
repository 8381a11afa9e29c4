import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type PublicUrlOptions = {
  /** The local host's exception: plain http to 127.0.0.1 and localhost, any port, nothing more. */
  readonly allowLoopbackHttp?: boolean;
};

/** `allows`: whether a resolved address may be connected to. */
type ParsedUrl =
  | { readonly url: URL; readonly allows: (address: string) => boolean }
  | { readonly url: undefined; readonly reason: string };

export const NOT_PUBLIC_URL = 'The URL must be reachable on the public internet.';
const ALLOWED_PORTS = ['', '443', '8443'];
const PRIVATE_NAME = /(^|\.)(local|internal|localhost)$/;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Azure's host agent has this publicly routable address. */
const PLATFORM_ADDRESSES = ['168.63.129.16'];

/** A URL that an organization may have requests sent to. `URL` has normalized all spellings of an address. */
export function parsePublicUrl(text: string, options: PublicUrlOptions = {}): ParsedUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return invalid('The URL must be an absolute URL.');
  if (url.username || url.password) return invalid('The URL must not have a user name or password.');
  if (options.allowLoopbackHttp && url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname))
    return { url, allows: isLoopback };
  if (url.protocol !== 'https:') return invalid('The URL must use https.');
  if (!ALLOWED_PORTS.includes(url.port)) return invalid('The URL must use port 443 or 8443.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) ? !isGlobalUnicast(host) : PRIVATE_NAME.test(host.replace(/\.+$/, ''))) return invalid(NOT_PUBLIC_URL);
  return { url, allows: isGlobalUnicast };
}

/** The library knows IANA's special ranges; in IPv6 only 2000::/3 is assigned to the internet. */
export function isGlobalUnicast(address: string): boolean {
  if (!isIP(address) || PLATFORM_ADDRESSES.includes(address)) return false;
  const ip = ipaddr.parse(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
}

const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1';

const invalid = (reason: string) => ({ url: undefined, reason });
