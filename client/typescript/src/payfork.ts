import { Call } from './call.ts';
import { Api } from './generated/api.ts';
import { VERSION } from './generated/version.ts';
import type { PayforkOptions } from './options.ts';
import type { Settings } from './send.ts';

const MAX_RETRIES = 2;
const TIMEOUT_MS = 35_000;

/** The API, one property for each kind of resource. A key is for servers; pages use a session or a public key. */
export class Payfork extends Api {
  readonly #options: PayforkOptions;

  constructor(options: PayforkOptions) {
    super(new Call(settingsOf(options)));
    this.#options = options;
  }

  /** The same client with a session in another organization. */
  inOrganization(orgId: string): Payfork {
    if (!('session' in this.#options)) throw new TypeError('A key belongs to one organization. Use a key of that one.');
    return new Payfork({ ...this.#options, orgId });
  }
}

function settingsOf(options: PayforkOptions): Settings {
  const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, totalTimeoutMs = Infinity, actorId } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    headers: { ...userAgent(), ...credentialHeaders(options), ...(actorId && { 'x-actor-id': actorId }) },
    credentials: 'session' in options ? 'include' : 'omit',
    maxRetries,
    timeoutMs,
    totalTimeoutMs,
    fetch: options.fetch ?? ((...sent) => fetch(...sent)),
  };
}

/** Without a slash at its end. As JavaScript allows it, there may be none. */
function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError('baseUrl must be the address of the API, such as https://api.example.com.');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

type Runtime = { readonly process?: { readonly versions?: { readonly node?: string } } };

/** Browsers send their own, and would ask the API first whether a page may send another. */
function userAgent(): Record<string, string> {
  const node = (globalThis as Runtime).process?.versions?.node;
  return node === undefined ? {} : { 'user-agent': `payfork-typescript/${VERSION} node/${node}` };
}

function credentialHeaders(options: PayforkOptions): Record<string, string> {
  if ('session' in options) return options.orgId ? { 'x-org-id': options.orgId } : {};
  const [name, key] = 'key' in options ? ['key', options.key] : ['serviceKey', options.serviceKey];
  // As JavaScript allows it: a client without a key would only find out by a 401.
  if (typeof key !== 'string' || key === '')
    throw new TypeError(`${name} is missing: give an API key of the organization.`);
  if ('serviceKey' in options && !options.orgId) throw new TypeError('orgId is missing: a service key needs it.');
  // As a header it would be refused by an error that shows it.
  if (!/^[!-~]+$/.test(key)) throw new TypeError(`${name} has a space, a line break or another character of no key.`);
  return 'key' in options ? { authorization: `Bearer ${key}` } : { 'x-service-key': key, 'x-org-id': options.orgId };
}
