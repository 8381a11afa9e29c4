import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import type { Fault } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** What stands in place of a secret; sent back, it means the one that is there. */
export const HIDDEN = '****';

/** Where a vault keeps an integration's secrets. */
export const integrationPlace = ({ org_id, id }: Pick<Integration, 'org_id' | 'id'>) =>
  ({ orgId: org_id, purpose: 'integration', id }) as const;

/** What its type does not tell apart: each type has some of these. */
export type ConfigWish = {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly to?: readonly string[] | undefined;
};

const FIELDS: Readonly<Record<Integration['type'], readonly (keyof ConfigWish)[]>> = {
  http: ['url', 'headers'],
  slack: ['url'],
  email: ['to'],
};

/** Fields that another type of integration has. */
export const faultsInConfig = (type: Integration['type'], wish: ConfigWish): readonly Fault[] =>
  Object.keys(wish).flatMap((name) =>
    FIELDS[type].some((own) => own === name)
      ? []
      : [{ path: `config.${name}`, message: `An integration of the type ${type} has no such field.` }],
  );

export type Headers = Readonly<Record<string, string>>;

export const hiddenHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

/**
 * The wished ones with their values; those that are sent as they were shown keep theirs. A header may have a name that
 * every object has, such as `constructor`.
 */
export const keptHeaders = (wish: Headers, held: Headers): Headers =>
  Object.fromEntries(
    Object.entries(wish).map(([name, value]) => [
      name,
      value === HIDDEN && Object.hasOwn(held, name) ? (held[name] ?? HIDDEN) : value,
    ]),
  );

/**
 * Values that are to be kept, and can't be: there are none, or they were meant for another server. Whoever may change
 * the address and never saw the values would else have them sent wherever he likes.
 */
export function faultsInKept(wish: Headers, held: Headers, sameServer: boolean): readonly Fault[] {
  return Object.entries(wish).flatMap(([name, value]) => {
    if (value !== HIDDEN) return [];
    const path = `config.headers.${name}`;
    if (!Object.hasOwn(held, name)) return [{ path, message: 'There is no value to keep. Send one.' }];
    return sameServer
      ? []
      : [{ path, message: 'Send the value again: the one that is there was meant for another server.' }];
  });
}

export const isSameServer = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin;

/** An address that is a secret: whose server it is, and nothing of its path. */
export const hiddenAddress = (text: string): string => `${new URL(text).origin}/${HIDDEN}`;

/**
 * Whether an address leads to one of these, which are our own: a workflow that calls us sets off the next one, without
 * end.
 */
export function leadsToOneOf(text: string, ours: readonly string[]): boolean {
  const hostOf = (url: string) => new URL(url).host.replace(/\.+(?=:|$)/, '');
  return ours.some((url) => hostOf(url) === hostOf(text));
}

/** What is sealed, as text; null where there is nothing to seal. */
export const secretsText = (secrets: IntegrationSecrets): string | null =>
  Object.keys(secrets).length > 0 ? JSON.stringify(secrets) : null;
