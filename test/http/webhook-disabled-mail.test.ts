import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MailError, type MailErrorKind } from '#shared/ports/mail.port.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, newEmail, type OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let mailer: TestHost['deps']['mail'];
beforeAll(async () => {
  host = await startHost();
  mailer = host.deps.mail;
});
afterEach(() => {
  Object.assign(host.deps, { mail: mailer });
});
afterAll(() => host?.close());

const { call, answerWith, advance, drain, sendTest, aMerchant, configure, config, rotate, event } = webhooksAt(
  () => host,
);

type Shop = Merchant & { readonly owner: OrganizationUser };

/** A shop with an owner. The mail names only the host of its endpoint, never the rest of the URL. */
async function aShop(answers: Body = { status: 410 }): Promise<Shop> {
  const owner = await anOwner(host);
  const { key } = (
    await owner.request('POST', '/v1/api-keys', { name: 'shop', scopes: ['webhooks:read', 'webhooks:write'] })
  ).body;
  const receiver = randomUUID();
  await answerWith({ receiver }, answers);
  const url = `${host.controlUrl}/receiver/${receiver}/hook?token=query-canary`;
  const { body } = await call('POST', '/config', { url, events: ['*'] }, { key });
  return { org_id: owner.org, key, receiver, url, secret: body.signing_secret, owner };
}

const mailsTo = async (email: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body.filter(({ subject }: Body) =>
    subject.startsWith('Webhooks to'),
  );
const mailCountsOf = async (...people: readonly OrganizationUser[]): Promise<number[]> =>
  (await Promise.all(people.map(({ user }) => mailsTo(user.email)))).map(({ length }) => length);

/** The endpoint answers 410. */
async function disableByResponse(shop: Merchant): Promise<string> {
  const id = await sendTest(shop);
  await drain();
  return id;
}
const waitForMails = () => advance('2m');

const verifyNoDeadLetters = async (): Promise<void> => {
  for (const queue of QUEUES) expect(await host.queue.deadLetters(queue), queue).toEqual([]);
};

describe('a webhook endpoint that was disabled automatically', () => {
  it('is reported by mail to the owners and administrators who have signed in, and to nobody else', async () => {
    const shop = await aShop();
    const [second, admin, member, viewer] = [
      await aMember(host, shop.owner, 'owner'),
      await aMember(host, shop.owner, 'admin'),
      await aMember(host, shop.owner, 'member'),
      await aMember(host, shop.owner, 'viewer'),
    ];
    const invited = newEmail('invited');
    await shop.owner.request('POST', '/v1/members', { email: invited, role: 'admin' });
    const id = await disableByResponse(shop);
    expect([(await event(id, shop)).status, await mailCountsOf(shop.owner)]).toEqual(['failed', [0]]);
    await waitForMails();
    expect(await mailCountsOf(shop.owner, second, admin, member, viewer)).toEqual([1, 1, 1, 0, 0]);
    expect(await mailsTo(invited)).toEqual([]);
    await advance('1d');
    expect(await mailCountsOf(shop.owner, second, admin)).toEqual([1, 1, 1]);
  });

  it('is described in the mail by host, reason, time and remedy, without secrets', async () => {
    const shop = await aShop();
    const id = await disableByResponse(shop);
    await waitForMails();
    const [{ subject, text }] = await mailsTo(shop.owner.user.email);
    const { host: shown } = new URL(shop.url);
    const { disabled_at } = await config(shop);
    expect(subject).toBe(`Webhooks to ${shown} were disabled`);
    expect(text).toContain(
      `On ${disabled_at.slice(0, 10)} ${disabled_at.slice(11, 16)} UTC we disabled the sandbox webhooks of organization ${shop.org_id}.`,
    );
    expect(text).toContain(`on ${shown}, which responded with 410 Gone`);
    expect(text.match(/(POST) (\S+)/g)).toEqual([
      `POST ${host.info.api}/v1/webhooks/config`,
      `POST ${host.info.api}/v1/webhooks/events/replay`,
    ]);
    for (const secret of ['/receiver/', 'query-canary', shop.receiver, shop.secret, shop.key])
      expect(subject + text).not.toContain(secret);

    // Following the mail delivers the event.
    await answerWith(shop, { status: 200 });
    await configure(shop);
    const [since] = /\{"since".*?\}/.exec(text) ?? [];
    expect((await call('POST', '/events/replay', JSON.parse(since ?? ''), shop)).status).toBe(200);
    await drain();
    expect((await event(id, shop)).status).toBe('delivered');
  });

  it('is reported with the time of the first failure when it failed for days', async () => {
    const shop = await aShop({ status: 500 });
    await sendTest(shop);
    await advance('2m');
    const since = host.clock.now().toISOString();
    await advance('6d');
    await sendTest(shop);
    // Its fifth attempt.
    await advance('45m');
    await waitForMails();
    expect((await config(shop)).disabled_reason).toBe('failing');
    const [{ text }, ...more] = await mailsTo(shop.owner.user.email);
    expect([text.includes(`has failed every delivery since ${since.slice(0, 10)} `), more]).toEqual([true, []]);
  });

  it('is reported once, however many simultaneous responses disabled it', async () => {
    const shop = await aShop({ status: 410, delay_ms: 150 });
    await Promise.all([1, 2, 3, 4].map(() => sendTest(shop)));
    await waitForMails();
    expect(await mailCountsOf(shop.owner)).toEqual([1]);
  });

  it('is reported again when it is disabled again', async () => {
    const shop = await aShop();
    for (const times of [1, 2]) {
      await configure(shop);
      await disableByResponse(shop);
      await waitForMails();
      expect(await mailCountsOf(shop.owner)).toEqual([times]);
    }
  });

  it.each<[string, (shop: Shop) => Promise<unknown>, number]>([
    ['not reported when it was enabled again before the mail', (shop) => configure(shop), 0],
    ['not reported when a member disabled it before the mail', (shop) => configure(shop, { enabled: false }), 0],
    ['reported when only its secret was rotated before the mail', (shop) => rotate(shop), 1],
    [
      'reported once when it was enabled and disabled again before the mail',
      (shop) => configure(shop).then(() => disableByResponse(shop)),
      1,
    ],
  ])('is %s', async (_, change, times) => {
    const shop = await aShop();
    await disableByResponse(shop);
    await change(shop);
    await waitForMails();
    expect(await mailCountsOf(shop.owner)).toEqual([times]);
  });

  it('is reported to nobody when the organization has no members', async () => {
    const before = (await host.control('GET', '/mailbox')).body.length;
    const [failures, merchant] = [failed().length, await aMerchant({ status: 410 })];
    await disableByResponse(merchant);
    await waitForMails();
    expect((await config(merchant)).disabled_reason).toBe('gone');
    expect((await host.control('GET', '/mailbox')).body.length).toBe(before);
    expect(failed().length).toBe(failures);
    await verifyNoDeadLetters();
  });
});

const failed = () => host.logged.filter(({ event: name }) => name === 'message_failed' || name === 'message_buried');

describe('a mail that cannot be sent', () => {
  /** A mailer that fails for some mails: the nth, or those to one address. */
  function refusing(
    kind: MailErrorKind,
    isRefused: (nth: number, to: string) => boolean,
    meanwhile?: () => Promise<void>,
  ): void {
    let count = 0;
    const send: typeof mailer.send = async (mail) => {
      count += 1;
      if (!isRefused(count, mail.to)) return mailer.send(mail);
      await meanwhile?.();
      throw new MailError(kind, 'No.');
    };
    Object.assign(host.deps, { mail: { send } });
  }

  const withAdmin = async () => {
    const shop = await aShop();
    return { shop, admin: await aMember(host, shop.owner, 'admin') };
  };

  it.each(['throttled', 'unavailable'] as const)(
    'because it was %s is sent later, and the mails before it are not sent twice',
    async (kind) => {
      const { shop, admin } = await withAdmin();
      refusing(kind, (nth) => nth === 2);
      await disableByResponse(shop);
      await waitForMails();
      expect(await mailCountsOf(shop.owner, admin)).toEqual([1, 1]);
      await verifyNoDeadLetters();
    },
  );

  it('because its address was rejected is dropped without logging the address, and the others are sent', async () => {
    const { shop, admin } = await withAdmin();
    const failures = failed().length;
    refusing('rejected', (_, to) => to === shop.owner.user.email);
    await disableByResponse(shop);
    await waitForMails();
    expect([await mailCountsOf(shop.owner, admin), failed().length]).toEqual([[0, 1], failures]);
    const lines = host.logged.filter(({ event: name }) => name === 'webhook_notice_not_mailed');
    expect(lines).toMatchObject([{ fields: { org_id: shop.org_id, user_id: shop.owner.user.id } }]);
    expect(JSON.stringify(host.logged)).not.toContain(shop.owner.user.email);
  });

  it.each<[string, (shop: Shop, admin: OrganizationUser) => Promise<ApiResponse>, number]>([
    ['has left the organization', ({ owner }, { user }) => owner.request('DELETE', `/v1/members/${user.id}`), 200],
    [
      'is no longer an administrator',
      ({ owner }, { user }) => owner.request('POST', '/v1/members', { email: user.email, role: 'member' }),
      201,
    ],
    ['has enabled the endpoint', (shop) => configure(shop), 200],
  ])('at first is not sent later to somebody who meanwhile %s', async (_, change, status) => {
    const { shop, admin } = await withAdmin();
    const answers: number[] = [];
    const isFirst = (_: number, to: string) => to === admin.user.email && answers.length === 0;
    refusing('throttled', isFirst, async () => void answers.push((await change(shop, admin)).status));
    await disableByResponse(shop);
    await waitForMails();
    expect([answers, await mailCountsOf(admin)]).toEqual([[status], [0]]);
  });
});

describe('a process that crashes at any point', () => {
  const planCrash = (handler: string, { point, nth, when }: Body) =>
    host.control('POST', '/faults', { point, nth, when, kind: 'crash', handler });
  const afterwards = async (): Promise<void> => {
    expect(host.faults.waiting).toEqual([]);
    await advance('30m');
    await verifyNoDeadLetters();
  };

  it('while it disables an endpoint causes one mail to each recipient', async () => {
    const probe = await aShop();
    const points = await crashPointsOf(host, 'webhook-delivery', () => disableByResponse(probe));
    const fromRecord = points.slice(points.findIndex(({ method }) => method === 'update'));
    expect(fromRecord.map(({ method, when }) => `${when} ${method}`)).toEqual(
      expect.arrayContaining(['after update', 'after send', 'after transact']),
    );
    for (const point of fromRecord) {
      const shop = await aShop();
      await planCrash('webhook-delivery', point);
      await disableByResponse(shop);
      await afterwards();
      // If it crashed before the change was saved, the next response disables the endpoint.
      if ((await config(shop)).enabled) await disableByResponse(shop);
      await waitForMails();
      expect([(await config(shop)).disabled_reason, await mailCountsOf(shop.owner)], describePoint(point)).toEqual([
        'gone',
        [1],
      ]);
    }
  });

  it('while it sends the mails loses none, and repeats them only after a crash when all messages were queued', async () => {
    await waitForMails();
    await disableByResponse(await aShop());
    const points = await crashPointsOf(host, 'slow-deliveries', waitForMails);
    expect(points.map(describePoint)).toContain('after queue call 1 (send)');
    const twice: string[] = [];
    for (const point of points) {
      const shop = await aShop();
      await disableByResponse(shop);
      await planCrash('slow-deliveries', point);
      await waitForMails();
      await afterwards();
      const [times = 0] = await mailCountsOf(shop.owner);
      expect(times, describePoint(point)).toBeGreaterThanOrEqual(1);
      if (times > 1) twice.push(describePoint(point));
    }
    expect(twice).toEqual(['after queue call 1 (send)']);
  });
});
