import { isDeepStrictEqual } from 'node:util';
import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import type { Fault } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** Shown in place of a secret. A client that sends it back keeps the stored value. */
export const MASKED = '****';

/** Identifies an integration's secrets in the vault. */
export const integrationSecretRef = ({ org_id, id }: Pick<Integration, 'org_id' | 'id'>) =>
  ({ orgId: org_id, purpose: 'integration', id }) as const;

/** The configuration fields of all types; each type has some of them. */
export type ConfigInput = {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly to?: readonly string[] | undefined;
};

const FIELDS: Readonly<Record<Integration['type'], readonly (keyof ConfigInput)[]>> = {
  http: ['url', 'headers'],
  slack: ['url'],
  email: ['to'],
};

/** Fields that belong to another type of integration. */
export const faultsInConfig = (type: Integration['type'], requested: ConfigInput): readonly Fault[] =>
  Object.keys(requested).flatMap((name) =>
    FIELDS[type].some((own) => own === name)
      ? []
      : [{ path: `config.${name}`, message: `An integration of type ${type} does not have this field.` }],
  );

export type Headers = Readonly<Record<string, string>>;

export const maskHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED]));

/** Headers that are sent back masked keep their stored value. `hasOwn`, because a header may be named `constructor`. */
export const mergeHeaders = (requested: Headers, stored: Headers): Headers =>
  Object.fromEntries(
    Object.entries(requested).map(([name, value]) => [
      name,
      value === MASKED && Object.hasOwn(stored, name) ? (stored[name] ?? MASKED) : value,
    ]),
  );

/**
 * Masked values that cannot be kept: nothing is stored, or they belong to another server. Otherwise somebody who may
 * change the address, but never saw the secrets, could have them sent anywhere.
 */
export function faultsInMasked(requested: Headers, stored: Headers, sameServer: boolean): readonly Fault[] {
  return Object.entries(requested).flatMap(([name, value]) => {
    if (value !== MASKED) return [];
    const path = `config.headers.${name}`;
    if (!Object.hasOwn(stored, name)) return [{ path, message: 'No value is stored for this header. Send one.' }];
    return sameServer ? [] : [{ path, message: 'Send the value again: the stored one belongs to another server.' }];
  });
}

export const isSameServer = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin;

/** Whether what workflows send goes elsewhere. The masked address of Slack does not show that, its sealed one does. */
export function isRedirected(before: Integration, after: Integration): boolean {
  if (after.type === 'slack') return before.sealed_secrets !== after.sealed_secrets;
  return !isDeepStrictEqual(destinationOf(before), destinationOf(after));
}

const destinationOf = (integration: Integration): string | readonly string[] =>
  integration.type === 'email' ? integration.config.to : integration.config.url;

/** Masks a URL that is a secret: only its origin remains. */
export const maskAddress = (text: string): string => `${new URL(text).origin}/${MASKED}`;

/** Whether a URL belongs to this service: a workflow that calls this API could start itself again, endlessly. */
export function isOwnAddress(text: string, ownUrls: readonly string[]): boolean {
  const hostOf = (url: string) => new URL(url).host.replace(/\.+(?=:|$)/, '');
  return ownUrls.some((url) => hostOf(url) === hostOf(text));
}

/** The secrets as text to be sealed; null if there are none. */
export const serializeSecrets = (secrets: IntegrationSecrets): string | null =>
  Object.keys(secrets).length > 0 ? JSON.stringify(secrets) : null;
