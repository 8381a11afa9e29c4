import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, routeKey } from '#shared/http/route.ts';
import { OURS, verdict } from '#test/http/bad-input.support.ts';
import { namesAny } from '#test/http/sample-input.support.ts';
import {
  type Cast,
  gather,
  opensToKeys,
  type Sent,
  STRANGERS,
  type Stranger,
  withCookie,
  withKey,
} from '#test/http/strangers.support.ts';
import { addressWith, bodyWith, type Ids, idsIn, NEVER_WAS, queryWith } from '#test/http/two-shops.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import type { ApiResponse } from '#test/support/host.ts';

let host: WatchedHost;
let cast: Cast;
beforeAll(async () => {
  host = await startWatchedHost();
  cast = await gather(host);
  await host.drain();
});
afterAll(() => host?.close());

type Naming = { readonly path: Ids; readonly rest: Ids };

/** The request of this route, with these ids in path, query and body. */
const ask = (
  route: Route,
  headers: Sent,
  { path, rest }: Naming = { path: cast.here.ids, rest: cast.here.ids },
): Promise<ApiResponse> =>
  host.call(route.method, addressWith(route, path) + queryWith(route, rest), bodyWith(route, rest, cast.here), {
    key: null,
    headers,
  });

/** Everything stored, and everything the provider and users received. */
const traces = async () => ({
  stored: await host.stored(),
  called: host.simulators.calls({}).calls.length,
  mailed: host.mailbox.to(undefined).length,
});

/** What does not belong to the other organization: its requests must not change it. */
const tracesHere = async () =>
  (await host.stored()).filter((line) => !line.includes(cast.there.org) && !line.includes(cast.there.owner.user.id));

type Asked = Readonly<Record<string, unknown>>;

/** The responses to all of these callers, sent at once, and that they change nothing. */
async function answersTo(
  route: Route,
  strangers: readonly Stranger[],
  shown: (answer: ApiResponse) => unknown,
): Promise<Asked> {
  const before = await traces();
  const answers = await Promise.all(
    strangers.map(async ({ who, sends }) => [who, shown(await ask(route, sends(cast, route)))] as const),
  );
  expect(await traces()).toEqual(before);
  return Object.fromEntries(answers);
}

const divided = OURS.map((route) => ({
  route,
  refused: STRANGERS.filter(({ told }) => told(route)),
  admitted: STRANGERS.filter(({ told }) => !told(route)),
}));

describe('a caller without access', () => {
  const refusing = divided.filter(({ refused }) => refused.length > 0);
  it.each(refusing.map((each) => [routeKey(each.route), each] as const))(
    'is refused at %s, and changes nothing',
    async (_, { route, refused }) => {
      const expected = refused.map(({ who, told }) => {
        const [status, error, code, message = /./] = told(route) ?? [];
        return [who, [status, { error, code, message: expect.stringMatching(message), doc_url: expect.any(String) }]];
      });
      expect(await answersTo(route, refused, ({ status, body }) => [status, body])).toEqual(
        Object.fromEntries(expected),
      );
    },
  );

  const reading = divided.filter(({ route, admitted }) => route.method === 'GET' && admitted.length > 0);
  it.each(reading.map((each) => [routeKey(each.route), each] as const))(
    'who is admitted to %s only reads',
    async (_, { route, admitted }) => {
      const expected = admitted.map(({ who }) => [who, route.access === 'anyone' ? 401 : 200]);
      expect(await answersTo(route, admitted, ({ status }) => status)).toEqual(Object.fromEntries(expected));
    },
  );
});

const PEOPLE: readonly (readonly [who: string, sends: () => Sent, mayAsk: (route: Route) => boolean])[] = [
  ['key', () => withKey(cast.there.key), opensToKeys],
  ['session', () => withCookie(cast.there.owner, cast.there.org), () => true],
  ['public key', () => withKey(cast.there.publicKey), (route) => route.access === 'public'],
];

const ofEverybody = OURS.filter((route) => route.access !== 'anyone' && route.access !== 'platform');
const asked = (routes: readonly Route[]) =>
  routes.flatMap((route) =>
    PEOPLE.flatMap(([who, sends, mayAsk]) =>
      mayAsk(route) ? [[routeKey(route), who, { route, sends }] as const] : [],
    ),
  );

/** Times and generated ids differ between requests. */
const comparable = ({ status, text }: ApiResponse) => [
  status,
  text.replace(/\b[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '<id>').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<at>'),
];

describe('for another organization', () => {
  it.each(asked(ofEverybody.filter(({ path }) => path.includes('{'))))(
    "%s with the shop's %s responds as for an unknown one",
    async (_, __, { route, sends }) => {
      const before = await tracesHere();
      const rest = cast.there.ids;
      const never = await ask(route, sends(), { path: NEVER_WAS, rest });
      const answer = await ask(route, sends(), { path: cast.here.ids, rest });
      expect(verdict(answer)).toEqual([404, 'not_found', 'not_found']);
      expect(answer.text).toBe(never.text);
      expect(await tracesHere()).toEqual(before);
    },
  );

  const names = ({ body, query }: Route) => [body, query].some((shape) => namesAny(shape, idsIn(NEVER_WAS)));
  it.each(asked(ofEverybody.filter(names)))(
    "%s with the shop's %s names an unknown resource",
    async (_, __, { route, sends }) => {
      const before = await tracesHere();
      const path = cast.there.ids;
      const never = await ask(route, sends(), { path, rest: NEVER_WAS });
      const answer = await ask(route, sends(), { path, rest: cast.here.ids });
      expect(comparable(answer)).toEqual(comparable(never));
      expect(await tracesHere()).toEqual(before);
    },
  );

  it.each(asked(ofEverybody.filter(({ method, path }) => method === 'GET' && !path.includes('{'))))(
    "%s with the shop's %s shows only its own data",
    async (_, __, { route, sends }) => {
      const answer = await ask(route, sends(), { path: cast.there.ids, rest: cast.there.ids });
      expect(answer.status).toBe(200);
      const { ids, name, owner } = cast.here;
      // Its own failed requests name what it asked for, also where that is nothing of its own.
      const secret = route.path === '/v1/failed-requests' ? [] : Object.values(ids);
      expect([...secret, owner.user.email, `of ${name}`].filter((each) => answer.text.includes(each))).toEqual([]);
    },
  );
});
