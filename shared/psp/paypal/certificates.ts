import { X509Certificate } from 'node:crypto';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { PaypalContext } from '#shared/psp/paypal/client.ts';

const PATH = /^\/v\d\/notifications\/certs\/[\w-]{1,100}$/;

/** The host and path of a PayPal certificate; undefined for any other URL, which is never fetched. */
export function parseCertificateUrl(text: string): { readonly host: string; readonly path: string } | undefined {
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

const MAX_CERTIFICATES = 8;

/** The certificates of a PEM file, the leaf first; empty for any other text. */
function readCertificates(pem: string): readonly X509Certificate[] {
  try {
    return (pem.match(PEM) ?? []).slice(0, MAX_CERTIFICATES).map((text) => new X509Certificate(text));
  } catch {
    return [];
  }
}

const MAX_CHAIN_LENGTH = 4;

/**
 * Whether a valid chain of certificates leads from the leaf to a trusted root. Public authorities certify anyone's
 * site, so the leaf's name must be PayPal's, unless the leaf itself is trusted.
 */
export function isTrusted(
  [leaf, ...intermediates]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): boolean {
  if (!leaf || !isValid(leaf, at) || !(isPaypalCertificate(leaf) || roots.some((root) => root.raw.equals(leaf.raw))))
    return false;
  let current = leaf;
  for (let step = 0; step < MAX_CHAIN_LENGTH; step += 1) {
    const { raw } = current;
    if (roots.some((root) => root.raw.equals(raw)) || roots.some((root) => isIssuer(root, current, at))) return true;
    const next = intermediates.find((intermediate) => isIssuer(intermediate, current, at));
    if (!next) return false;
    current = next;
  }
  return false;
}

const PAYPAL_SUBJECT = /^CN=(?:[a-z0-9-]+\.)+paypal\.com$/im;

const PAYPAL_ALT_NAME = /^DNS:(?:[a-z0-9-]+\.)+paypal\.com$/i;

const isPaypalCertificate = ({ subject, subjectAltName = '' }: X509Certificate): boolean =>
  // A list with quotes contains names that are not host names.
  PAYPAL_SUBJECT.test(subject) ||
  (!subjectAltName.includes('"') && subjectAltName.split(', ').some((name) => PAYPAL_ALT_NAME.test(name)));

const isValid = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  validFromDate <= at && at <= validToDate;

const isIssuer = (issuer: X509Certificate, of: X509Certificate, at: Date): boolean =>
  issuer.ca &&
  !issuer.raw.equals(of.raw) &&
  isValid(issuer, at) &&
  of.checkIssued(issuer) &&
  of.verify(issuer.publicKey);

/** By host and path. A certificate's content does not change; whether it is trusted is checked each time. */
const certificateCache = new Map<string, readonly X509Certificate[]>();

const MAX_CACHED = 32;

/**
 * The leaf with its chain; undefined if the URL is not of a PayPal certificate. Throws if it cannot be fetched now.
 */
export async function fetchCertificates(
  url: string,
  psp: Pick<PaypalContext, 'send' | 'now'>,
): Promise<readonly X509Certificate[] | undefined> {
  const address = parseCertificateUrl(url);
  if (!address) return undefined;
  const cacheKey = address.host + address.path;
  const cached = certificateCache.get(cacheKey);
  if (cached) return cached;
  const headers = { accept: 'application/x-pem-file, text/plain, */*' };
  const response = await psp.send({ operation: 'certificate', method: 'GET', ...address, headers, paymentId: null });
  throwIfUnavailable(response, psp.now());
  if (response.status === 404) return undefined;
  const certificates = response.status === 200 ? readCertificates(response.text) : [];
  if (certificates.length === 0)
    throw new PspOutcomeUnknown(`PayPal's certificate (HTTP ${response.status}) is not understood.`);
  for (const oldest of certificateCache.keys()) {
    if (certificateCache.size < MAX_CACHED) break;
    certificateCache.delete(oldest);
  }
  certificateCache.set(cacheKey, certificates);
  return certificates;
}

const authorityCache = new Map<string, readonly X509Certificate[]>();

/** Parsing all public authorities takes a while, and they do not change. */
export function parseAuthorities(pems: readonly string[]): readonly X509Certificate[] {
  return pems.flatMap((pem) => {
    const cached = authorityCache.get(pem) ?? readCertificates(pem);
    authorityCache.set(pem, cached);
    return cached;
  });
}
