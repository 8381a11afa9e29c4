import { Call } from './call.ts';
import { Api } from './generated/api.ts';
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
  const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, actorId } = options;
  const { protocol, origin, pathname } = new URL(options.baseUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must begin with https://.');
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    headers: { ...credentialHeaders(options), ...(actorId && { 'x-actor-id': actorId }) },
    credentials: 'session' in options ? 'include' : 'omit',
    maxRetries,
    timeoutMs,
    fetch: options.fetch ?? ((...sent) => fetch(...sent)),
  };
}

function credentialHeaders(options: PayforkOptions): Record<string, string> {
  if ('session' in options) return options.orgId ? { 'x-org-id': options.orgId } : {};
  const [name, key] = 'key' in options ? ['key', options.key] : ['serviceKey', options.serviceKey];
  // As JavaScript allows it: a client without a key would only find out by a 401.
  if (typeof key !== 'string' || key === '')
    throw new TypeError(`${name} is missing: give an API key of the organization.`);
  return 'key' in options ? { authorization: `Bearer ${key}` } : { 'x-service-key': key, 'x-org-id': options.orgId };
}
