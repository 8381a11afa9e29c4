import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { anOrganization, aPaymentBody, type Body, type TestOrganization } from '#test/support/host.ts';

const MINE = { secret_key: 'sk_test_CanaryMine4Hd', webhook_secret: 'whsec_CanaryMine4Hd' };
const THEIRS = { secret_key: 'sk_test_CanaryTheirs8Jf', webhook_secret: 'whsec_CanaryTheirs8Jf' };
const SECRETS = {
  'my key': MINE.secret_key,
  'my webhook secret': MINE.webhook_secret,
  'their key': THEIRS.secret_key,
  'their webhook secret': THEIRS.webhook_secret,
};

let host: WatchedHost;
let table: DatabaseSync;
beforeAll(async () => {
  host = await startWatchedHost();
  table = new DatabaseSync(join(host.folder, 'sandbox.sqlite'));
});
afterAll(async () => {
  table?.close();
  await host?.close();
});

let mine: TestOrganization;
let theirs: TestOrganization;
beforeEach(async () => {
  [mine, theirs] = [await anOrganization(host), await anOrganization(host)];
  for (const id of ['main', 'other']) await connect(mine, id, MINE);
  await connect(theirs, 'main', THEIRS);
  await host.call('POST', '/v1/connections', { id: 'other', status: 'inactive' }, { key: mine.key });
});

const connect = ({ key }: TestOrganization, id: string, credentials: Body) =>
  host.call('POST', '/v1/connections', { id, provider: 'stripe', credentials }, { key });
const pay = ({ key }: TestOrganization) => host.call('POST', '/v1/payments', aPaymentBody('pm_card_visa'), { key });
const connectionKey = ({ org_id }: TestOrganization, id: string) => ({ pk: `ORG#${org_id}`, sk: `conn#${id}` });

type Key = { readonly pk: string; readonly sk: string };
/** An attacker who can write to the table, but holds no key. */
const attributeOf = ({ pk, sk }: Key, name: string): string =>
  String(table.prepare('SELECT json ->> ? AS text FROM items WHERE pk = ? AND sk = ?').get(name, pk, sk)?.text);
const OVERWRITE = 'UPDATE items SET json = json_set(json, ?, ?) WHERE pk = ? AND sk = ?';

async function overwrite({ pk, sk }: Key, name: string, text: string): Promise<void> {
  await host.drain();
  // Writes of the host in the same turn of the event loop are committed at its end.
  await turn();
  expect(table.prepare(OVERWRITE).run(`$.${name}`, text, pk, sk).changes).toBe(1);
}

const swappedIn = (text: string, part: number, from: string): string =>
  text
    .split('.')
    .with(part, from.split('.')[part] ?? '')
    .join('.');
const flipped = (text: string): string => text.slice(0, -9) + (text.at(-9) === 'A' ? 'B' : 'A') + text.slice(-8);

describe('credentials that were replaced in the store', () => {
  const sealed = (who: () => TestOrganization, id: string) =>
    attributeOf(connectionKey(who(), id), 'sealed_credentials');
  it.each<readonly [string, (own: string) => string]>([
    ['with those of another connection', () => sealed(() => mine, 'other')],
    ["with those of another organization's connection", () => sealed(() => theirs, 'main')],
    ['with one character changed', flipped],
    ['with the end cut off', (own) => own.slice(0, -20)],
    ['with nothing', () => ''],
    [
      "with those under another organization's data key",
      (own) =>
        swappedIn(
          own,
          1,
          sealed(() => theirs, 'main'),
        ),
    ],
    [
      "with another organization's ciphertext behind the own data key",
      (own) =>
        swappedIn(
          own,
          2,
          sealed(() => theirs, 'main'),
        ),
    ],
    ['with unencrypted ones', () => JSON.stringify(THEIRS)],
  ])('cannot charge: %s', async (_, change) => {
    const place = connectionKey(mine, 'main');
    const own = attributeOf(place, 'sealed_credentials');
    expect((await pay(mine)).body.status).toBe('succeeded');
    await overwrite(place, 'sealed_credentials', change(own));

    const { status, body, text } = await pay(mine);
    expect([status, body.status, body.failure.category, body.failure.code]).toEqual([
      201,
      'failed',
      'configuration',
      'invalid_configuration',
    ]);
    expect(host.simulators.calls({ payment_id: body.id })).toEqual({ calls: [], charges: {} });
    expect(leaksOf(SECRETS, { answer: text, log: inspect(host.logged, { depth: null }) })).toEqual([]);

    await overwrite(place, 'sealed_credentials', own);
    expect((await pay(mine)).body.status).toBe('succeeded');
  });

  it('verify no callback, whoever signed it', async () => {
    const { id, psp_reference } = (await host.call('POST', '/v1/payments', aPaymentBody('pending'), { key: mine.key }))
      .body;
    await overwrite(
      connectionKey(mine, 'main'),
      'sealed_credentials',
      sealed(() => theirs, 'main'),
    );
    const metadata = { org_id: mine.org_id, connection_id: 'main', payment_id: id };
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      data: { object: { id: psp_reference, metadata } },
    });
    const at = Math.floor(host.clock.now().getTime() / 1_000);
    const signed = createHmac('sha256', THEIRS.webhook_secret).update(`${at}.${body}`).digest('hex');
    const forged = await host.call('POST', '/webhooks/stripe', body, {
      key: null,
      headers: { 'stripe-signature': `t=${at},v1=${signed}` },
    });
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    await host.drain();
    expect([forged.status, forged.body.code]).toEqual([500, 'internal_error']);
    expect((await host.call('GET', `/v1/payments/${id}`, undefined, { key: mine.key })).body.status).toBe('processing');
  });
});

describe("a customer's token that was replaced in the store", () => {
  it.each<readonly [string, () => TestOrganization]>([
    ['another payment', () => mine],
    ["another organization's payment", () => theirs],
  ])('pays nothing with the token of %s', async (_, from) => {
    const intent = async ({ key }: TestOrganization) =>
      (await host.call('POST', '/v1/payments/intents', aPaymentBody('pm_card_visa'), { key })).body;
    const [theirIntent, ownIntent] = [await intent(from()), await intent(mine)];
    const placeOf = ({ id }: Body): Key => ({
      pk: String(table.prepare("SELECT pk FROM items WHERE json ->> 'id' = ? AND sk = 'PAY'").get(id)?.pk),
      sk: 'PAY',
    });
    await overwrite(placeOf(ownIntent), 'sealed_method', attributeOf(placeOf(theirIntent), 'sealed_method'));
    const { status, text } = await host.call('POST', `/v1/payments/${ownIntent.id}/confirm`, undefined, {
      key: mine.key,
    });
    expect([status, text.includes('pm_card_visa')]).toEqual([500, false]);
    expect(host.simulators.calls({ payment_id: ownIntent.id }).calls).toEqual([]);
  });
});

describe("a signing secret that was replaced with another organization's", () => {
  it('signs nothing', async () => {
    const configure = ({ key }: TestOrganization, name: string) =>
      host.call(
        'POST',
        '/v1/webhooks/config',
        { url: `${host.controlUrl}/receiver/${name}/hook`, events: ['*'] },
        { key },
      );
    await configure(mine, 'mine');
    await configure(theirs, 'theirs');
    const receiver = ({ org_id }: TestOrganization): Key => ({ pk: `RECV#${org_id}`, sk: 'RECV' });
    await overwrite(receiver(mine), 'sealed_secret', attributeOf(receiver(theirs), 'sealed_secret'));
    await host.call('POST', '/v1/webhooks/test', undefined, { key: mine.key });
    await host.drain();
    expect(host.receivers.deliveries('mine')).toEqual([]);
    expect((await host.queue.deadLetters('webhook-delivery')).map(({ body }) => body.org_id)).toEqual([mine.org_id]);
  });
});
