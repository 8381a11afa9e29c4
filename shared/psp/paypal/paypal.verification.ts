import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { InboundCallback } from '#shared/ports/psp.port.ts';
import { isTrusted } from '#shared/psp/paypal/certificate.rules.ts';
import { authorities, certificatesAt } from '#shared/psp/paypal/paypal.certificates.ts';
import type { PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { isOurMerchant } from '#shared/psp/paypal/webhook.rules.ts';

const ALGORITHM = 'SHA256withRSA';

/**
 * PayPal signs an id, the sending time, the webhook's id and the body's checksum. The allowed age is not documented,
 * and repeats keep their time for days: any age is accepted, as a repeated event changes nothing.
 */
export async function verifyPaypalEvent(callback: InboundCallback, psp: PaypalContext): Promise<boolean> {
  const { rawBody, headers } = callback;
  const [id, time, signature, url] = ['id', 'time', 'sig']
    .map((name) => headers[`paypal-transmission-${name}`] ?? '')
    .concat(headers['paypal-cert-url'] ?? '');
  if (!id || !time || !signature || !url || headers['paypal-auth-algo'] !== ALGORITHM || rawBody.length === 0)
    return false;
  if (!isOurMerchant(callback, psp.credentials)) return false;
  const certificates = await certificatesAt(url, psp);
  const [leaf] = certificates ?? [];
  if (
    !certificates ||
    leaf?.publicKey.asymmetricKeyType !== 'rsa' ||
    !isTrusted(certificates, authorities(psp.roots()), psp.now())
  )
    return false;
  const bytes = Buffer.from(signature, 'base64');
  const messages = [psp.credentials.webhook_secret]
    .flat()
    .map((webhook) => `${id}|${time}|${webhook}|${crc32(rawBody)}`);
  return messages.some((message) => verify('sha256', Buffer.from(message), leaf.publicKey, bytes));
}
