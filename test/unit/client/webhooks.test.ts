import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type VerifyOptions, WebhookVerificationError, webhooks } from '#client/typescript/src/webhooks.ts';
import { signedHeaders } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';

const SECRET = `whsec_${'c2VjcmV0'.repeat(4)}`;
const FORMER = `whsec_${'b2xkb2xk'.repeat(4)}`;
const OLDEST = `whsec_${'b2xkZXN0'.repeat(4)}`;
const SENT_AT = 1_800_000_000;
const BODY = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', data: { id: 'pay_é' }, timestamp: SENT_AT });

/** As the service signs it: by the new secret, and by those that are still valid. */
const sentBy = (secret: string, ...former: readonly string[]) =>
  signedHeaders(
    'evt_1',
    SENT_AT,
    BODY,
    new Secret(secret),
    former.map((each) => new Secret(each)),
  );
const only = (headers: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const SERVICE = ['x-service-signature'];

const at = (second: number): VerifyOptions => ({ at: new Date((SENT_AT + second) * 1_000) });
const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was taken',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
  );

describe('webhooks.verify()', () => {
  it.each<readonly [string, string | Uint8Array | ArrayBuffer]>([
    ['text', BODY],
    ['bytes', Buffer.from(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
    ['bytes amid others', new Uint8Array(Buffer.from(`..${BODY}.`)).subarray(2, -1)],
    ['bytes of another realm', runInNewContext(`Uint8Array.from([${[...Buffer.from(BODY)]}])`)],
    ['an ArrayBuffer of another realm', runInNewContext(`Uint8Array.from([${[...Buffer.from(BODY)]}]).buffer`)],
  ])('takes the body as %s, and returns its event', async (_, body) => {
    expect(await webhooks.verify(body, sentBy(SECRET), SECRET, at(1))).toEqual(JSON.parse(BODY));
  });

  it.each([
    ['by Standard Webhooks alone', only(sentBy(SECRET), ...STANDARD)],
    ['by X-Service-Signature alone', only(sentBy(SECRET), ...SERVICE)],
    [
      'with names of headers in capitals',
      Object.fromEntries(Object.entries(sentBy(SECRET)).map(([k, v]) => [k.toUpperCase(), v])),
    ],
    ['with values in lists', Object.fromEntries(Object.entries(sentBy(SECRET)).map(([k, v]) => [k, [v]]))],
    ['with the headers of a Request', new Headers(sentBy(SECRET))],
  ])('takes a webhook signed %s', async (_, headers) => {
    expect((await webhooks.verify(BODY, headers, SECRET, at(0))).id).toBe('evt_1');
  });

  it.each([
    ['the new secret, by the standard', STANDARD, SECRET],
    ['the former secret, by the standard', STANDARD, FORMER],
    ['the oldest secret, by X-Service-Signature', SERVICE, OLDEST],
    ['both secrets, wherever one of them fits', SERVICE, [SECRET, OLDEST]],
  ])('takes a webhook of a rotation with %s', async (_, names, secret) => {
    const headers = only(sentBy(SECRET, FORMER, OLDEST), ...names);
    expect((await webhooks.verify(BODY, headers, secret, at(0))).id).toBe('evt_1');
  });

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ['without a signature', {}, 'no_signature'],
    ['by another secret', sentBy(FORMER), 'wrong_signature'],
    ['whose id is another', { ...only(sentBy(SECRET), ...STANDARD), 'webhook-id': 'evt_2' }, 'wrong_signature'],
    ['whose time is another', { ...only(sentBy(SECRET), ...STANDARD), 'webhook-timestamp': '1' }, 'wrong_signature'],
    [
      'whose signature is no base64',
      { ...only(sentBy(SECRET), ...STANDARD), 'webhook-signature': 'v1,?' },
      'wrong_signature',
    ],
    ['of another version', { ...only(sentBy(SECRET), ...STANDARD), 'webhook-signature': 'v2,abcd' }, 'no_signature'],
    ['whose signature is no hex', { 'x-service-signature': 'sha256=xyz' }, 'no_signature'],
    [
      'whose signature is cut',
      { 'x-service-signature': sentBy(SECRET)['x-service-signature']!.slice(0, -2) },
      'no_signature',
    ],
  ])('refuses a request %s', async (_, headers, code) => {
    expect(await codeOf(webhooks.verify(BODY, headers, SECRET, at(0)))).toBe(code);
  });

  it('refuses a body of which one byte is another', async () => {
    const changed = BODY.replace('pay_é', 'pay_e');
    expect(await codeOf(webhooks.verify(changed, sentBy(SECRET), SECRET, at(0)))).toBe('wrong_signature');
  });

  it.each([-300, 300])('takes a webhook that was sent %i s from now', async (second) => {
    expect((await webhooks.verify(BODY, sentBy(SECRET), SECRET, at(second))).id).toBe('evt_1');
  });

  it.each([-301, 301])(
    'refuses a webhook that was sent %i s from now, unless its caller allows more',
    async (second) => {
      expect(await codeOf(webhooks.verify(BODY, sentBy(SECRET), SECRET, at(second)))).toBe('outside_tolerance');
      const patient = { ...at(second), toleranceSeconds: 600 };
      expect((await webhooks.verify(BODY, sentBy(SECRET), SECRET, patient)).id).toBe('evt_1');
    },
  );

  it('goes by the clock, if no time is given', async () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ ...JSON.parse(BODY), timestamp });
    const headers = signedHeaders('evt_1', timestamp, body, new Secret(SECRET));
    expect((await webhooks.verify(body, headers, SECRET)).timestamp).toBe(timestamp);
    expect(await codeOf(webhooks.verify(BODY, sentBy(SECRET), SECRET))).toBe('outside_tolerance');
  });

  it.each(['no JSON', '{}', 'null', '{"type":"payment.created"}'])('refuses the signed body %s', async (body) => {
    const headers = signedHeaders('evt_1', SENT_AT, body, new Secret(SECRET));
    expect(await codeOf(webhooks.verify(body, headers, SECRET, at(0)))).toBe('unreadable_body');
  });

  it('compares ten signatures at most, however many a request has', async () => {
    const headers = only(sentBy(SECRET), ...STANDARD);
    const behind = (more: number) => ({
      ...headers,
      'webhook-signature': `${'v1,AAAA '.repeat(more)}${headers['webhook-signature']}`,
    });
    expect((await webhooks.verify(BODY, behind(9), SECRET, at(0))).id).toBe('evt_1');
    expect(await codeOf(webhooks.verify(BODY, behind(10), SECRET, at(0)))).toBe('wrong_signature');
  });

  it.each<readonly [string, unknown, unknown, string]>([
    ['a parsed body', JSON.parse(BODY), SECRET, 'needs the body as it came'],
    ['no secret', BODY, undefined, 'needs the signing secret'],
    ['an empty list of secrets', BODY, [], 'needs the signing secret'],
    ['a masked secret', BODY, 'whsec_****abcd', 'needs the signing secret'],
    ['an API key', BODY, 'sk_sandbox_1', 'needs the signing secret'],
  ])('says at once that %s is a mistake of its caller', async (_, body, secret, message) => {
    await expect(webhooks.verify(body as string, sentBy(SECRET), secret as string)).rejects.toThrow(message);
    await expect(webhooks.verify(body as string, sentBy(SECRET), secret as string)).rejects.toBeInstanceOf(TypeError);
  });

  it('shows the secret in none of its errors', async () => {
    const errors = [
      await webhooks.verify(BODY, sentBy(FORMER), SECRET, at(0)).catch(String),
      await webhooks.verify(BODY, sentBy(SECRET), SECRET, at(999)).catch(String),
      await webhooks.verify(BODY, sentBy(SECRET), SECRET.replace('whsec', 'whsek')).catch(String),
    ];
    expect(errors.filter((error) => String(error).includes('c2VjcmV0'))).toEqual([]);
  });
});
