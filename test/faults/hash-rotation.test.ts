import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_DELETES } from '#lib/aws/table-rights.ts';
import { opsOptions } from '#lib/ops/ops-options.ts';
import { runCommand } from '#lib/ops/run-command.ts';
import type { HashVersions } from '#shared/kernel/hash-versions.ts';
import { makeToken, returnToken } from '#shared/services/payments/charge-order.service.ts';
import { ownerKey } from '#shared/store/repos/accounts/owner.repo.ts';
import { mailAddressKey } from '#shared/store/repos/accounts/user.entity.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { accessesOf } from '#shared/store/table/write.rules.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { browserWithCookie, mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type TotpUser, withTotp } from '#test/support/totp-app.ts';

/**
 * The secrets of hashes are replaced, in the steps that the documents name, on a host with data. Whatever was made at one
 * step must go on working at the later ones.
 */
const STEPS: readonly (readonly [name: string, versions: HashVersions])[] = [
  ['before the change', { current: 1 }],
  ['when the next version is announced', { current: 1, next: 2 }],
  ['when the next version is in use', { current: 2, previous: 1 }],
  ['after the change', { current: 2, former: [1] }],
];

const PATIENCE = 60_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: number;
let host: TestHost;
let table: TablePort;
const startAt = async (hashVersions: HashVersions): Promise<void> => {
  const wrapTable = (base: TablePort): TablePort => {
    table = base;
    return base;
  };
  host = await startHost({ dataDir: folder.path('data'), port, hashVersions, wrapTable });
};
beforeAll(async () => {
  folder = await temporaryFolder();
  port = await fourFreePorts();
}, PATIENCE);
afterAll(async () => {
  await host?.close();
  await folder?.remove();
});

const NO_DEAD_LETTERS = { names: [], count: async () => 0, redrive: async () => '' };

type Shop = { readonly key: string; readonly publicKey: string };
/** What one step leaves for the later ones. */
type Made = {
  readonly shop: Shop;
  readonly once: { readonly idempotencyKey: string; readonly id: string };
  readonly intent: { readonly id: string; readonly client_secret: string };
  /** Where the provider sends the customer back to. */
  readonly returnUrl: string;
  readonly unfinished: { readonly idempotencyKey: string };
  readonly person: TotpUser;
  readonly visitor: SignedInUser;
};

const pay = (key: string, idempotencyKey: string, body: Body = aPaymentBody()) =>
  host.call('POST', '/v1/payments', body, { key, idempotencyKey });
const chargesOf = async (id: string): Promise<number> =>
  (await host.control('GET', `/psp/calls?payment_id=${id}`)).body.charges[id]?.count ?? 0;

async function aShop(): Promise<Shop> {
  const { key } = (await host.control('POST', '/organizations', { name: 'Shop', legal_name: 'Shop Ltd' })).body;
  const credentials = { secret_key: `sk_test_${key.slice(-24)}`, webhook_secret: `whsec_${key.slice(-24)}` };
  expect(
    (await host.call('POST', '/v1/connections', { id: 'main', provider: 'stripe', credentials }, { key })).status,
  ).toBe(201);
  const made = await host.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public' }, { key });
  return { key, publicKey: made.body.key };
}

/** A charge whose process ends when the provider has charged, before its response is stored. */
async function unfinishedPayment({ key }: Shop, idempotencyKey: string): Promise<void> {
  await host.control('POST', '/faults', { point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: 'payments' });
  expect((await pay(key, idempotencyKey)).status).toBe(503);
}

async function makeAt(step: number): Promise<Made> {
  const shop = await aShop();
  const once = { idempotencyKey: `once-${step}`, id: (await pay(shop.key, `once-${step}`)).body.id };
  const intent = (await host.call('POST', '/v1/payments/intents', { amount: 900, currency: 'EUR' }, { key: shop.key }))
    .body;
  const waiting = (await pay(shop.key, `page-${step}`, aPaymentBody('needs_3ds'))).body;
  const person = await withTotp(host, await signIn(host, `person-${step}@example.com`));
  await unfinishedPayment(shop, `unfinished-${step}`);
  return {
    shop,
    once,
    intent,
    returnUrl: `/pay/return/${waiting.id}?t=${makeToken(returnToken(waiting.id), host.deps.config)}`,
    unfinished: { idempotencyKey: `unfinished-${step}` },
    person,
    visitor: await signIn(host, `visitor-${step}@example.com`),
  };
}

describe('replacing the secrets of hashes', () => {
  const made: Made[] = [];

  it.each(STEPS.map(([name, versions], step) => [name, versions, step] as const))(
    'keeps everything that earlier steps made: %s',
    async (_, versions, step) => {
      // A day later no idempotency key and no session of the steps before is valid any more.
      const isLast = step === STEPS.length - 1;
      if (isLast) await host.control('POST', '/clock', { advance: '26h' });
      await host?.close();
      await startAt(versions);
      for (const earlier of made) {
        await expectLastingToWork(earlier, step);
        if (!isLast) await expectDaysWorkToContinue(earlier);
      }
      made.push(await makeAt(step));
    },
    PATIENCE,
  );

  it('moves the addresses of those who do not sign in by a command, and leaves none under the replaced secret', async () => {
    const former = host.deps.config.rotations?.hashSecret?.others[0]?.secret ?? '';
    const emails = made.slice(0, -1).map(({ visitor }) => visitor.user.email);
    const left = async () =>
      (await Promise.all(emails.map((email) => table.get(mailAddressKey(email)(former))))).filter(Boolean).length;
    const deleted = new Set<string>();
    const asOperator = new Proxy(table, {
      get:
        (base, method: keyof TablePort) =>
        (...args: readonly unknown[]) => {
          for (const { act, family } of accessesOf(method, args)) if (act === 'delete') deleted.add(family);
          return Reflect.apply(base[method], base, args);
        },
    });
    const ops = { deps: host.deps, table: asOperator, deadLetters: NO_DEAD_LETTERS, close: async () => undefined };
    const run = (...more: string[]) =>
      runCommand(opsOptions(['rehash', '--local', '--stage', 'sandbox', ...more]), ops);

    expect([(await run()).text, await left()]).toEqual([expect.stringContaining('Nothing was written'), 2]);
    await run('--yes', '--by', 'operator@example.com');
    // The role of the ops commands may delete these families alone.
    expect(deleted).toContain('MAIL#');
    expect(OPERATOR_DELETES).toEqual(expect.arrayContaining([...deleted]));
    expect([await left(), (await run()).data]).toEqual([0, expect.objectContaining({ moved: 0, version: 2 })]);
    // Nobody but the address knows of an owner who has not signed in.
    const owner = host.info.owner_email;
    expect((await run()).text).toContain(`${host.info.org_id} has no member.`);
    expect((await run(owner, '--yes', '--by', 'operator@example.com')).data).toMatchObject({ moved: 1 });
    expect(await table.get(ownerKey(owner)(former))).toBeUndefined();
    expect((await host.deps.owners.byEmail(owner))?.org_id).toBe(host.info.org_id);
    for (const { visitor } of made) expect((await signIn(host, visitor.user.email)).user.id).toBe(visitor.user.id);
  });
});

/** What is valid for longer than a day. `step`: which one the host is at. A recovery code can be used once. */
async function expectLastingToWork({ shop, intent, returnUrl, person }: Made, step: number): Promise<void> {
  const confirm = { client_secret: intent.client_secret, payment_method: { type: 'card', token: 'ok' } };
  const confirmed = await host.call('POST', `/v1/payments/${intent.id}/confirm-intent`, confirm, {
    key: shop.publicKey,
  });
  expect([200, 409]).toContain(confirmed.status);
  expect((await host.call('GET', `/v1/payments/${intent.id}`, undefined, { key: shop.key })).body.status).toBe(
    'succeeded',
  );
  expect((await fetch(host.info.api + returnUrl, { redirect: 'manual' })).status).toBe(200);

  const again = await verify(host, await mailedToken(host, person.user.email), person.recoveryCodes[step]);
  expect([again.status, again.body?.user?.id]).toEqual([200, person.user.id]);
}

async function expectDaysWorkToContinue({ shop, once, unfinished, visitor }: Made): Promise<void> {
  expect([(await pay(shop.key, once.idempotencyKey)).body.id, await chargesOf(once.id)]).toEqual([once.id, 1]);
  await host.control('POST', '/clock', { advance: '40s' });
  const finished = await pay(shop.key, unfinished.idempotencyKey);
  expect([finished.status, finished.body.status, await chargesOf(finished.body.id)]).toEqual([201, 'succeeded', 1]);

  const session = await browserWithCookie(host, visitor.cookie).call('GET', '/v1/auth/session');
  expect([session.status, session.body?.user?.id]).toEqual([200, visitor.user.id]);
}
