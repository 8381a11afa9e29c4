import type { X509Certificate } from 'node:crypto';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { throwTrouble } from '#shared/psp/kit/reply.ts';
import { certificateAddress, readCertificates } from '#shared/psp/paypal/certificate.rules.ts';
import type { PaypalContext } from '#shared/psp/paypal/paypal.client.ts';

/** By host and path: a certificate's content does not change. Whether it is trusted is checked each time. */
const fetched = new Map<string, readonly X509Certificate[]>();
const MOST = 32;

/** The leaf with its chain; undefined for no PayPal certificate. One that can't be fetched now is trouble. */
export async function certificatesAt(
  url: string,
  psp: Pick<PaypalContext, 'send' | 'now'>,
): Promise<readonly X509Certificate[] | undefined> {
  const address = certificateAddress(url);
  if (!address) return undefined;
  const place = address.host + address.path;
  const known = fetched.get(place);
  if (known) return known;
  const headers = { accept: 'application/x-pem-file, text/plain, */*' };
  const reply = await psp.send({ operation: 'certificate', method: 'GET', ...address, headers, paymentId: null });
  throwTrouble(reply, psp.now());
  if (reply.status === 404) return undefined;
  const certificates = reply.status === 200 ? readCertificates(reply.text) : [];
  if (certificates.length === 0)
    throw new PspOutcomeUnknown(`PayPal's certificate (HTTP ${reply.status}) is not understood.`);
  for (const oldest of fetched.keys()) {
    if (fetched.size < MOST) break;
    fetched.delete(oldest);
  }
  fetched.set(place, certificates);
  return certificates;
}

const opened = new Map<string, readonly X509Certificate[]>();

/** Parsing all public authorities takes a while; they stay the same. */
export function authorities(pems: readonly string[]): readonly X509Certificate[] {
  return pems.flatMap((pem) => {
    const known = opened.get(pem) ?? readCertificates(pem);
    opened.set(pem, known);
    return known;
  });
}
