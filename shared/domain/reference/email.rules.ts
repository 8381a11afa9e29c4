import { isIPv4, isIPv6 } from 'node:net';
import { keyedHash } from '#shared/kernel/ids.ts';

/**
 * Addresses are case-insensitive in practice: a capital letter must neither make a second user nor evade a list. Nor
 * must quotes that the local part does not need.
 */
export const normalizeEmail = (email: string): string =>
  email
    .trim()
    .toLowerCase()
    .replace(/^"([^"\\]*)"(?=@)/, (quoted, inner: string) => (isDotString(inner) ? inner : quoted));

/** By this an organization's payments of an address are found. It leads back to nobody. */
export const mailHash = (secret: string, orgId: string, email: string): string =>
  keyedHash(secret, 'customer_email', orgId, normalizeEmail(email)).toString('base64url', 0, 16);

/** Limits of RFC 5321, in octets. */
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;
export const MAX_EMAIL = MAX_LOCAL_PART + '@'.length + MAX_DOMAIN;

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_STRING = new RegExp(`^${ATOM}(\\.${ATOM})*$`, 'i');
/** Printable ASCII; a quote and a backslash only after a backslash. */
const QUOTED_STRING = /^"([ !#-[\]-~]|\\[ -~])+"$/;
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels. No top-level domain has digits only: such a name is an IP address without its brackets. */
const DOMAIN = new RegExp(`^(${LABEL}\\.)+(?!\\d+$)${LABEL}$`, 'i');

const isDotString = (text: string): boolean => DOT_STRING.test(text);

/**
 * Whether it is a mailbox of RFC 5321: everything that mail servers accept in ASCII. A domain in other letters has an
 * ASCII form (`xn--…`).
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local.length > MAX_LOCAL_PART || domain.length > MAX_DOMAIN) return false;
  return (isDotString(local) || QUOTED_STRING.test(local)) && (DOMAIN.test(domain) || isAddressLiteral(domain));
}

/** `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
function isAddressLiteral(domain: string): boolean {
  const [, address] = /^\[([^\]]+)\]$/.exec(domain) ?? [];
  return address !== undefined && (/^ipv6:/i.test(address) ? isIPv6(address.slice('ipv6:'.length)) : isIPv4(address));
}

const MAX_SUBJECT_LENGTH = 200;
/** C0 controls and DEL: a line break could start a forged header. */
const CONTROL = /\p{Cc}/u;

/** Why a mail is invalid, if it is: it needs one address and a one-line subject. Never quotes the input. */
export function emailFault({ to, subject }: { readonly to: string; readonly subject: string }): string | undefined {
  if (!isEmail(to)) return 'The address is not one e-mail address.';
  if (subject.length === 0 || subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject))
    return `The subject is not one line of 1 to ${MAX_SUBJECT_LENGTH} characters.`;
  return undefined;
}
