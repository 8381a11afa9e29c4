import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import {
  type Merchant,
  signaturePositionsOf,
  verifiesServiceSignature,
  verifiesStandardSignature,
  webhooksAt,
} from '#test/http/webhook-merchant.support.ts';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const { call, advance, aMerchant, configure, config, rotate, audit, sample, deliveries, keyWith } = webhooksAt(
  () => host,
);

const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/;
const rotations = async (org: Merchant): Promise<number> =>
  (await audit(org)).filter(({ action }: Body) => action === 'webhook.secret_rotated').length;
const secretOf = async (work: ReturnType<typeof rotate>): Promise<string> => (await work).body.signing_secret;
const hoursUntil = (text: string): number => (Date.parse(text) - host.clock.now().getTime()) / 3_600_000;

describe('a rotation', () => {
  it('creates a new secret, and says until when the previous one is valid', async () => {
    const merchant = await aMerchant();
    const before = await config(merchant);
    const { status, body } = await rotate(merchant);
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        signing_secret: expect.stringMatching(SECRET),
        previous_secret_expires_at: expect.stringMatching(/Z$/),
        updated_at: expect.any(String),
      },
    ]);
    expect(body.signing_secret).not.toBe(merchant.secret);
    expect(hoursUntil(body.previous_secret_expires_at)).toBeCloseTo(24, 1);
    expect(await config(merchant)).toEqual(body);
    const reader = { key: await keyWith(merchant, 'webhooks:read') };
    expect((await config(merchant, reader)).signing_secret).toBe(`whsec_****${body.signing_secret.slice(-4)}`);
  });

  it('signs with both secrets for a day: Service-Signature with the old one, the standard header with each, the new one first', async () => {
    const merchant = await aMerchant();
    const fresh = await secretOf(rotate(merchant));
    await advance('23h');
    const both = await sample(merchant);
    expect([verifiesServiceSignature(merchant.secret, both), verifiesServiceSignature(fresh, both)]).toEqual([
      true,
      false,
    ]);
    expect([
      verifiesStandardSignature(merchant.secret, both),
      verifiesStandardSignature(fresh, both),
      verifiesStandardSignature(`whsec_${'A'.repeat(32)}`, both),
    ]).toEqual([true, true, false]);
    expect([signaturePositionsOf(fresh, both), signaturePositionsOf(merchant.secret, both)]).toEqual([[0], [1]]);

    await advance('2h');
    const alone = await sample(merchant);
    expect([verifiesServiceSignature(merchant.secret, alone), verifiesServiceSignature(fresh, alone)]).toEqual([
      false,
      true,
    ]);
    expect([
      verifiesStandardSignature(merchant.secret, alone),
      verifiesStandardSignature(fresh, alone),
      signaturePositionsOf(fresh, alone),
    ]).toEqual([false, true, [0]]);
    expect(alone.headers['webhook-signature']).not.toContain(' ');
    expect((await config(merchant)).previous_secret_expires_at).toBeNull();
  });

  it('with expire_previous ends the previous secret at once', async () => {
    const merchant = await aMerchant();
    const { body } = await rotate(merchant, { expire_previous: true });
    expect(body.previous_secret_expires_at).toBeNull();
    const alone = await sample(merchant);
    expect([
      verifiesServiceSignature(body.signing_secret, alone),
      verifiesStandardSignature(body.signing_secret, alone),
    ]).toEqual([true, true]);
    expect([
      verifiesServiceSignature(merchant.secret, alone),
      verifiesStandardSignature(merchant.secret, alone),
    ]).toEqual([false, false]);
  });

  it('with expire_previous ends all previous secrets', async () => {
    const merchant = await aMerchant();
    const second = await secretOf(rotate(merchant));
    const third = await secretOf(rotate(merchant, { expire_previous: true }));
    const alone = await sample(merchant);
    expect(
      [merchant.secret, second, third].map((secret) => [
        verifiesServiceSignature(secret, alone),
        verifiesStandardSignature(secret, alone),
      ]),
    ).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });

  it('answers 409 while three previous secrets are valid, and changes nothing', async () => {
    const merchant = await aMerchant();
    const secrets = [merchant.secret];
    for (let n = 0; n < 3; n += 1) {
      secrets.unshift(await secretOf(rotate(merchant, {})));
      await advance('1h');
    }
    const [before, entries] = [await config(merchant), await audit(merchant)];
    const { status, body } = await rotate(merchant);
    expect([status, body.error, body.code]).toEqual([409, 'conflict', 'secret_rotation_limit']);
    expect(body.message).toContain('expire_previous');
    expect([await config(merchant), await audit(merchant)]).toEqual([before, entries]);

    const all = await sample(merchant);
    expect(secrets.map((secret) => signaturePositionsOf(secret, all))).toEqual([[0], [1], [2], [3]]);
    expect(secrets.map((secret) => verifiesServiceSignature(secret, all))).toEqual([false, false, false, true]);
    // The first rotation was three hours ago: the oldest secret expires a day after it.
    await advance('21h');
    const three = await sample(merchant);
    expect(secrets.map((secret) => signaturePositionsOf(secret, three))).toEqual([[0], [1], [2], []]);
    expect(secrets.map((secret) => verifiesServiceSignature(secret, three))).toEqual([false, false, true, false]);
    expect((await rotate(merchant)).status).toBe(200);
  });

  it('with expire_previous is possible at any time', async () => {
    const merchant = await aMerchant();
    for (let n = 0; n < 3; n += 1) await rotate(merchant);
    expect((await rotate(merchant)).status).toBe(409);
    expect((await rotate(merchant, { expire_previous: true })).body).toMatchObject({
      previous_secret_expires_at: null,
    });
    expect((await rotate(merchant)).status).toBe(200);
  });

  it('survives a change of the configuration', async () => {
    const merchant = await aMerchant();
    const { signing_secret, previous_secret_expires_at } = (await rotate(merchant)).body;
    expect((await configure(merchant, { events: ['payment.created'] })).body).toMatchObject({
      signing_secret,
      previous_secret_expires_at,
    });
    expect(signaturePositionsOf(merchant.secret, await sample(merchant))).toEqual([1]);
  });
});

describe('secrets', () => {
  it('appear in no log, event or other response, whether current or previous', async () => {
    const merchant = await aMerchant({ status: 500 });
    const secrets = [merchant.secret, await secretOf(rotate(merchant)), await secretOf(rotate(merchant))];
    await sample(merchant);
    await advance('10m');
    const answers = await Promise.all(
      ['/config/audit', '/events'].map((path) => call('GET', path, undefined, merchant)),
    );
    const heard = [
      inspect(host.logged, { depth: null }),
      JSON.stringify(await deliveries(merchant)),
      ...answers.map(({ text }) => text),
    ].join();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const secret of secrets) expect(heard.includes(secret.slice('whsec_'.length)), secret).toBe(false);
  });
});

describe('simultaneous rotations', () => {
  it('happen one after the other', async () => {
    const merchant = await aMerchant();
    const answers = await Promise.all([rotate(merchant), rotate(merchant)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { signing_secret } = await config(merchant);
    const made = answers.map(({ body }) => body.signing_secret);
    expect([
      new Set([...made, merchant.secret]).size,
      made.includes(signing_secret),
      await rotations(merchant),
    ]).toEqual([3, true, 2]);
    const sent = await sample(merchant);
    expect(
      [signing_secret, made.find((secret) => secret !== signing_secret), merchant.secret].map((secret) =>
        signaturePositionsOf(secret, sent),
      ),
    ).toEqual([[0], [1], [2]]);
  });

  it('do not exceed the limit', async () => {
    const merchant = await aMerchant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(merchant)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
    expect(await rotations(merchant)).toBe(3);
  });

  it('keep a configuration that is saved in between', async () => {
    const merchant = await aMerchant();
    const [{ body }] = await Promise.all([rotate(merchant), configure(merchant, { events: ['payment.failed'] })]);
    expect(await config(merchant)).toMatchObject({ events: ['payment.failed'], signing_secret: body.signing_secret });
    expect(signaturePositionsOf(merchant.secret, await sample(merchant))).toEqual([1]);
  });
});

describe('POST /v1/webhooks/config/rotate-secret', () => {
  it('repeats the response for the same idempotency key of the same credential only', async () => {
    const merchant = await aMerchant();
    const how = { idempotencyKey: randomUUID() };
    const first = await rotate(merchant, undefined, how);
    const again = await rotate(merchant, undefined, how);
    expect([again.text, again.headers.get('idempotency-replayed'), await rotations(merchant)]).toEqual([
      first.text,
      'true',
      1,
    ]);
    expect((await rotate({ ...merchant, key: await keyWith(merchant, 'webhooks:write') }, undefined, how)).status).toBe(
      422,
    );
    expect((await rotate(merchant, { expire_previous: true }, how)).status).toBe(422);
  });

  it('answers 404 before the first configuration', async () => {
    expect(await rotate(await anOrganization(host))).toMatchObject({
      status: 404,
      body: { error: 'not_found', code: 'not_found' },
    });
  });

  it.each([
    ['a string for a boolean', { expire_previous: 'yes' }, ['expire_previous']],
    ['a secret chosen by the customer', { secret: 'whsec_mine' }, ['secret']],
  ])('answers 400 for %s, and changes nothing', async (_, sent, paths) => {
    const merchant = await aMerchant();
    const { status, body } = await rotate(merchant, sent);
    expect([status, body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
    expect([(await config(merchant)).signing_secret, await rotations(merchant)]).toEqual([merchant.secret, 0]);
  });

  it('answers 400 without an idempotency key, 401 without a key and 403 without the scope', async () => {
    const merchant = await aMerchant();
    expect((await rotate(merchant, undefined, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await call('POST', '/config/rotate-secret', undefined, merchant, { key: null })).status).toBe(401);
    const { status, body } = await rotate({ ...merchant, key: await keyWith(merchant, 'webhooks:read') });
    expect([status, body.message]).toEqual([403, expect.stringContaining('webhooks:write')]);
    expect((await config(merchant)).signing_secret).toBe(merchant.secret);
  });
});

describe('a process that crashes during a rotation', () => {
  const pointsOfRotation = async () => {
    const counted = await aMerchant();
    return crashPointsOf(host, 'webhooks', () => rotate(counted));
  };

  it('creates one secret and one audit entry, wherever it crashes', async () => {
    const points = await pointsOfRotation();
    expect(points.map(({ method }) => method)).toContain('transact');
    for (const point of points) {
      const where = describePoint(point);
      const merchant = await aMerchant();
      const how = { idempotencyKey: randomUUID() };
      const send = () => rotate(merchant, undefined, how);
      host.faults.add({
        point: point.point as 'table',
        nth: point.nth,
        when: point.when,
        kind: 'crash',
        handler: 'webhooks',
      });
      if (!(await crashesAt(host, send, where))) continue;
      const seen = (await config(merchant)).signing_secret;
      await expireLease(host);
      const { status, body } = await retryUntilDone(host, send);
      const secret = body.signing_secret;
      expect([status, (await config(merchant)).signing_secret, await rotations(merchant)], where).toEqual([
        200,
        secret,
        1,
      ]);
      expect([merchant.secret, secret], where).toContain(seen);
      const sent = await sample(merchant);
      expect(
        [
          signaturePositionsOf(secret, sent),
          signaturePositionsOf(merchant.secret, sent),
          verifiesServiceSignature(merchant.secret, sent),
        ],
        where,
      ).toEqual([[0], [1], true]);
    }
  });

  it('does not restore a secret that was expired meanwhile', async () => {
    const saved = (await pointsOfRotation()).find(({ method, when }) => method === 'transact' && when === 'after');
    const merchant = await aMerchant();
    const how = { idempotencyKey: randomUUID() };
    host.faults.add({ point: 'table', nth: saved!.nth, when: 'after', kind: 'crash', handler: 'webhooks' });
    expect((await rotate(merchant, undefined, how)).status).toBe(503);
    const leaked = (await config(merchant)).signing_secret;
    expect(leaked).not.toBe(merchant.secret);
    const safe = await secretOf(rotate(merchant, { expire_previous: true }));
    await expireLease(host);
    expect((await rotate(merchant, undefined, how)).body.signing_secret).toBe(safe);
    const sent = await sample(merchant);
    expect([
      verifiesStandardSignature(safe, sent),
      verifiesStandardSignature(leaked, sent),
      verifiesStandardSignature(merchant.secret, sent),
      await rotations(merchant),
    ]).toEqual([true, false, false, 2]);
  });
});
