import { createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ProviderSimulator, Route } from '#lib/simulators/kit/provider-simulator.port.ts';

const readKey = (name: string): string => readFileSync(new URL(`./keys/${name}.pem`, import.meta.url), 'utf8');

/** Test certificates. The private key of the authority was deleted. */
export const AUTHORITY = readKey('authority');
const CERTIFICATE = readKey('webhooks');
const PRIVATE_KEY = readKey('webhooks-key');

const CERTIFICATE_NAME = 'CERT-360caa42-fca2a594-5a1e0001';
/** PayPal's real URL. The transport redirects it to the simulator. */
const CERTIFICATE_URL = `https://api.sandbox.paypal.com/v1/notifications/certs/${CERTIFICATE_NAME}`;

export const certificateRoute: Route = {
  method: 'GET',
  path: '/v1/notifications/certs/{name}',
  operation: null,
  run: ({ params }) =>
    params.name === CERTIFICATE_NAME
      ? { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: CERTIFICATE + AUTHORITY }
      : { status: 404, headers: { 'content-type': 'text/plain' }, body: '' },
};

/** Signs for the webhook that was registered last. */
export const webhookHeaders: ProviderSimulator['webhookHeaders'] = (body, [webhookId = ''], at) => {
  const time = `${at.toISOString().slice(0, 19)}Z`;
  const id = transmissionId(body, time);
  const message = `${id}|${time}|${webhookId}|${crc32(Buffer.from(body))}`;
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(message).sign(PRIVATE_KEY, 'base64'),
    'paypal-cert-url': CERTIFICATE_URL,
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHR-214.0-58843200',
    accept: '*/*',
  };
};

/** A UUID derived from the content. */
function transmissionId(body: string, time: string): string {
  const digits = [crc32(body), crc32(time), crc32(body + time), crc32(time + body)]
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
