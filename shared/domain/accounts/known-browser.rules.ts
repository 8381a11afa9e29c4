import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import type { HashRotation } from '#shared/kernel/hash-versions.ts';
import { keyedHash, randomText } from '#shared/kernel/ids.ts';

/**
 * A cookie that proves in which accounts this browser has signed in: a random id, and a tag for each of their
 * addresses. It opens nothing. It only gives the browser an allowance of sign-in mails that strangers cannot use up.
 */
export const BROWSER_COOKIE = 'service_browser';

const ID_LENGTH = 22;
const MAX_ACCOUNTS = 5;
const FORMAT = /^[A-Za-z0-9]{22}(?:\.[0-9a-f]{32}){1,5}$/;

const tagOf = (id: string, email: string, hashSecret: string): string =>
  keyedHash(hashSecret, 'known browser', id, normalizeEmail(email)).toString('hex').slice(0, 32);

function partsOf(cookie: string | undefined): { readonly id: string; readonly tags: readonly string[] } | undefined {
  if (cookie === undefined || !FORMAT.test(cookie)) return undefined;
  const [id = '', ...tags] = cookie.split('.');
  return { id, tags };
}

type Secrets = {
  readonly hashSecret: string;
  readonly rotations?: { readonly hashSecret?: HashRotation };
};

/** The browser's id, if it has signed in to this address before. */
export function knownBrowser(
  cookie: string | undefined,
  email: string,
  { hashSecret, rotations }: Secrets,
): string | undefined {
  const parts = partsOf(cookie);
  const secrets = [hashSecret, ...(rotations?.hashSecret?.others ?? []).map(({ secret }) => secret)];
  return parts && secrets.some((secret) => parts.tags.includes(tagOf(parts.id, email, secret))) ? parts.id : undefined;
}

/** The browser's cookie after it has signed in to this address. Of many accounts the newest stay. */
export function rememberBrowser(cookie: string | undefined, email: string, hashSecret: string): string {
  const { id, tags } = partsOf(cookie) ?? { id: randomText(ID_LENGTH), tags: [] };
  const tag = tagOf(id, email, hashSecret);
  const newest = [tag, ...tags.filter((other) => other !== tag)].slice(0, MAX_ACCOUNTS);
  return [id, ...newest].join('.');
}
