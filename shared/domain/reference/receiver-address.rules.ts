import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type ReceiverOptions = {
  /** The local host's exception: plain http to 127.0.0.1 and localhost, any port, nothing more. */
  readonly allowLoopbackHttp?: boolean;
};

/** `allows`: whether a resolved address may be connected to. */
type Receiver =
  | { readonly url: URL; readonly allows: (address: string) => boolean }
  | { readonly url: undefined; readonly refusal: string };

export const NOT_PUBLIC = 'The receiver must be reachable on the public internet.';
const PORTS = ['', '443', '8443'];
const PRIVATE_NAME = /(^|\.)(local|internal|localhost)$/;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Azure's host agent has this publicly routable address. */
const PLATFORM = ['168.63.129.16'];

/** Receivers that an organization may set. URL has already normalized all spellings of an address. */
export function readReceiver(text: string, options: ReceiverOptions = {}): Receiver {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return refuse('The receiver must be an absolute URL.');
  if (url.username || url.password) return refuse('The receiver must not carry user information.');
  if (options.allowLoopbackHttp && url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname))
    return { url, allows: isLoopback };
  if (url.protocol !== 'https:') return refuse('The receiver must use https.');
  if (!PORTS.includes(url.port)) return refuse('The receiver must use port 443 or 8443.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) ? !isGlobalUnicast(host) : PRIVATE_NAME.test(host.replace(/\.+$/, ''))) return refuse(NOT_PUBLIC);
  return { url, allows: isGlobalUnicast };
}

/** The library knows IANA's special ranges; in IPv6 only 2000::/3 is assigned to the internet. */
export function isGlobalUnicast(address: string): boolean {
  if (!isIP(address) || PLATFORM.includes(address)) return false;
  const ip = ipaddr.parse(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
}

const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1';

const refuse = (refusal: string) => ({ url: undefined, refusal });
