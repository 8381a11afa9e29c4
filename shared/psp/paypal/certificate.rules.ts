import { X509Certificate } from 'node:crypto';

const PATH = /^\/v\d\/notifications\/certs\/[\w-]{1,100}$/;

/** The URL of a PayPal certificate; undefined for any other URL, which is never fetched. */
export function certificateAddress(text: string): { readonly host: string; readonly path: string } | undefined {
  const url = text.length <= 300 ? URL.parse(text) : null;
  if (
    url?.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.port !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return undefined;
  const isPaypal = url.hostname === 'paypal.com' || url.hostname.endsWith('.paypal.com');
  return isPaypal && PATH.test(url.pathname) ? { host: url.hostname, path: url.pathname } : undefined;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const MOST_IN_A_FILE = 8;

/** The certificates of a PEM file, the leaf first; empty for what is none. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  try {
    return (pem.match(PEM) ?? []).slice(0, MOST_IN_A_FILE).map((text) => new X509Certificate(text));
  } catch {
    return [];
  }
}

const MOST_STEPS = 4;

/**
 * Whether a valid chain of authorities leads from the leaf to a trusted one. The public authorities certify anyone's
 * web site, so the name must be PayPal's, unless the leaf itself is trusted.
 */
export function isTrusted(
  [leaf, ...others]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): boolean {
  if (!leaf || !isValid(leaf, at) || !(isPaypals(leaf) || roots.some((root) => root.raw.equals(leaf.raw))))
    return false;
  let current = leaf;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { raw } = current;
    if (roots.some((root) => root.raw.equals(raw)) || roots.some((root) => isIssuer(root, current, at))) return true;
    const next = others.find((other) => isIssuer(other, current, at));
    if (!next) return false;
    current = next;
  }
  return false;
}

const OWN_NAME = /^CN=(?:[a-z0-9-]+\.)+paypal\.com$/im;
const OWN_OTHER_NAME = /^DNS:(?:[a-z0-9-]+\.)+paypal\.com$/i;

const isPaypals = ({ subject, subjectAltName = '' }: X509Certificate): boolean =>
  // A list with quotes contains names that are no host names.
  OWN_NAME.test(subject) ||
  (!subjectAltName.includes('"') && subjectAltName.split(', ').some((name) => OWN_OTHER_NAME.test(name)));

const isValid = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  validFromDate <= at && at <= validToDate;

const isIssuer = (issuer: X509Certificate, of: X509Certificate, at: Date): boolean =>
  issuer.ca &&
  !issuer.raw.equals(of.raw) &&
  isValid(issuer, at) &&
  of.checkIssued(issuer) &&
  of.verify(issuer.publicKey);
