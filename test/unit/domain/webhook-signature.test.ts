import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { maskedSecret, signedHeaders, signingSecret } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';

const secret = signingSecret(Buffer.from('0123456789abcdefghijklmnopqrstuv'));
const body = JSON.stringify({ id: 'evt_1', data: { name: 'Zoë' } });

/** The library uses the system clock only. */
const now = () => Math.floor(Date.now() / 1_000);

describe('the signature of a webhook', () => {
  it('is accepted by a Standard Webhooks library with the secret', () => {
    const headers = signedHeaders('evt_1', now(), body, new Secret(secret));
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each([
    ['another body', (headers: Record<string, string>) => [body.replace('Zoë', 'Zoe'), headers] as const],
    ['another event', (headers: Record<string, string>) => [body, { ...headers, 'webhook-id': 'evt_2' }] as const],
    [
      'another time',
      (headers: Record<string, string>) => [body, { ...headers, 'webhook-timestamp': String(now() - 10) }] as const,
    ],
  ])('is rejected for %s', (_, changed) => {
    const [sent, headers] = changed(signedHeaders('evt_1', now(), body, new Secret(secret)));
    expect(() => new Webhook(secret).verify(sent, headers)).toThrow('No matching signature');
  });

  it('in Service-Signature is the HMAC of the raw body with the whole secret', () => {
    const headers = signedHeaders('evt_1', 1_767_225_600, body, new Secret(secret));
    expect(headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(Buffer.from(body)).digest('hex')}`,
    );
    expect(headers['x-service-event-id']).toBe('evt_1');
  });
});

describe('the signature during a rotation of secrets', () => {
  const [newest, middle, oldest] = ['n', 'm', 'o'].map((fill) => signingSecret(Buffer.alloc(24, fill)));
  const former = [new Secret(middle!), new Secret(oldest!)];
  const headers = () => signedHeaders('evt_1', now(), body, new Secret(newest!), former);

  it('is accepted by a library with any of them, and rejected with another', () => {
    for (const each of [newest, middle, oldest])
      expect(new Webhook(each!).verify(body, headers())).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(body, headers())).toThrow('No matching signature');
  });

  it('has the newest one first, separated by a space', () => {
    const { 'webhook-signature': signatures, 'webhook-timestamp': at } = headers();
    const by = (each: string | undefined) => new Webhook(each!).sign('evt_1', new Date(Number(at) * 1_000), body);
    expect(signatures).toBe([newest, middle, oldest].map(by).join(' '));
  });

  it('in Service-Signature is made with the oldest secret only', () =>
    expect(headers()['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', oldest!).update(body).digest('hex')}`,
    ));
});

describe('a signing secret', () => {
  it('has 24 bytes after its prefix', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
  });

  it('shows its last four characters when masked', () =>
    expect(maskedSecret('whsec_AAAABBBBCCCCabcd')).toBe('whsec_****abcd'));
});
