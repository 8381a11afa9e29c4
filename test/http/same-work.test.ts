import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { MAX_ALIKE_PER_MINUTE } from '#shared/domain/reporting/failed-request.model.ts';
import { type Route, routeKey } from '#shared/http/route.ts';
import { alikePairs, type Pair } from '#test/bench/alike-pairs.ts';
import { OURS } from '#test/http/bad-input.support.ts';
import { withCookie } from '#test/http/strangers.support.ts';
import { addressWith, bodyWith, type Ids, NEVER_WAS, openShop, type Shop } from '#test/http/two-shops.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import type { ApiResponse } from '#test/support/host.ts';

let host: WatchedHost;
let pairs: readonly Pair[];
let shops: { readonly here: Shop; readonly there: Shop };
beforeAll(async () => {
  host = await startWatchedHost();
  pairs = await alikePairs(host);
  shops = { here: await openShop(host, 'mine'), there: await openShop(host, 'theirs') };
  await host.drain();
  // With each minute the log of failed requests begins anew.
  await host.clock.stand(host.clock.now());
});
afterAll(() => host?.close());

const NEW_EACH_TIME = /^(x-request-id|apigw-requestid|date|x-ratelimit-.*)$/;
const GROUPS: ReadonlySet<string> = new Set(Object.keys(ROUTES));

/** An error message repeats the requested organization, which differs by design. */
const withoutOrgIds = (text: string): string => text.replace(/\borg_[0-9a-z]{26}\b/g, 'org_…');

/** The response, and each call that was made for it: calls do not depend on how busy the machine is. */
async function workOf(send: () => Promise<ApiResponse>) {
  const calls: string[] = [];
  const stop = host.onCall(({ point, method, group }) => void (GROUPS.has(group) && calls.push(`${point}.${method}`)));
  const { status, text, headers } = await send();
  stop();
  return {
    status,
    text: withoutOrgIds(text),
    headers: [...headers].filter(([name]) => !NEW_EACH_TIME.test(name)),
    calls,
  };
}

async function expectAlike({ one, other }: Omit<Pair, 'what'>): Promise<void> {
  // Before each measurement, so that nothing happens for the first time, and the log of failed requests has enough of
  // their kind.
  for (let n = 0; n < MAX_ALIKE_PER_MINUTE; n += 1) {
    await one();
    await other();
  }
  const work = await workOf(one);
  expect(work).toEqual(await workOf(other));
  expect(work.calls.length).toBeGreaterThan(0);
}

const QUESTIONS = [
  'a sign-in link for an address that has signed in, and for one that has not',
  'a key that was revoked, and one that never existed',
  'a key with wrong last characters, and one that is wrong throughout',
  'a wrong key of an organization, and one of none',
  'a session that has ended, and one that never existed',
  'a session with another organization, and with an unknown one',
  'a sign-in link that was used, and one that never existed',
  'a passkey that is known, and one that is not, each with a wrong signature',
];

it.each(QUESTIONS)('the response and the store calls are the same for %s', async (what) => {
  const pair = pairs.find((each) => each.what === what);
  expect(pair).toBeDefined();
  if (pair) await expectAlike(pair);
});

const byId = OURS.filter(
  (route) => route.path.includes('{') && route.access !== 'anyone' && route.access !== 'platform',
);

describe('a resource of another organization and one that never existed cause the same store calls', () => {
  it.each(byId.map((route) => [routeKey(route), route] as const))('at %s', async (_, route: Route) => {
    const { here, there } = shops;
    const ask = (ids: Ids) =>
      host.call(route.method, addressWith(route, ids), bodyWith(route, there.ids, there), {
        key: null,
        headers: withCookie(there.owner, there.org),
      });
    await expectAlike({ one: () => ask(here.ids), other: () => ask(NEVER_WAS) });
  });
});

describe('whether an email address is known cannot be seen from an', () => {
  const invite = (email: string) => () =>
    shops.there.owner.call('POST', '/v1/members', { email, role: 'viewer' }, { org: shops.there.org });

  it('invitation', async () => {
    const [known, unknown] = [
      await workOf(invite(shops.here.owner.user.email)),
      await workOf(invite('new@nowhere.example')),
    ];
    expect([known.status, known.calls, known.headers.map(([name]) => name)]).toEqual([
      201,
      unknown.calls,
      unknown.headers.map(([name]) => name),
    ]);
    expect(unknown.status).toBe(201);
    const shape = (text: string) => Object.entries(JSON.parse(text)).map(([name, value]) => [name, value === null]);
    expect(shape(known.text)).toEqual(shape(unknown.text));
  });
});
