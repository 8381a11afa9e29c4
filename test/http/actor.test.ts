import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  await aConnection(host, org, { id: 'a' });
});
afterAll(() => host.close());

let count = 0;
const relabel = (actor: string): Promise<ApiResponse> => {
  count += 1;
  return host.call(
    'PATCH',
    '/v1/connections/a/labels',
    { labels: [`l${count}`] },
    { key: org.key, headers: { 'x-actor-id': actor } },
  );
};
const newest = async (): Promise<Body> =>
  (await host.call('GET', '/v1/connections/a/audit?limit=1', undefined, { key: org.key })).body[0];

describe('X-Actor-Id', () => {
  it.each(['ada', 'x'.repeat(200), 'ada lovelace <ada@example.com>'])(
    'is recorded beside the key: %s',
    async (actor) => {
      expect((await relabel(actor)).status).toBe(200);
      expect(await newest()).toMatchObject({
        actor_id: actor,
        actor_claimed: true,
        metadata: { credential_id: expect.stringMatching(/^key_/) },
      });
    },
  );

  const asUtf8 = (text: string) => Buffer.from(text).toString('latin1');

  it.each([
    ['in UTF-8', asUtf8('Zoë Müller 漢字 🦊'), 'Zoë Müller 漢字 🦊'],
    ['in UTF-8, of 200 characters', asUtf8('é'.repeat(200)), 'é'.repeat(200)],
    ['in Latin-1', 'Zo\xeb M\xfcller', 'Zoë Müller'],
  ])('is recorded as it was sent: %s', async (_, sent, actor) => {
    expect((await relabel(sent)).status).toBe(200);
    expect(await newest()).toMatchObject({ actor_id: actor });
  });

  it.each(['', ' ', '\t'])('that is blank is ignored: %j', async (actor) => {
    expect((await relabel(actor)).status).toBe(200);
    const { actor_id, actor_claimed, metadata } = await newest();
    expect([actor_id, actor_claimed]).toEqual([metadata.credential_id, false]);
  });

  it('of a member or a key reads as a claim, too', async () => {
    for (const actor of ['usr_01jzzzzzzzfz0a1b2c3d4e5f6g', 'key_01jzzzzzzzfz0a1b2c3d4e5f6g', 'the system']) {
      expect((await relabel(actor)).status).toBe(200);
      expect(await newest()).toMatchObject({ actor_id: actor, actor_claimed: true });
    }
  });

  it.each([
    ['the name of the service', 'system'],
    ['the name of the service in capitals', ' SYSTEM '],
    ['the name of the service in wide letters', asUtf8('ｓｙｓｔｅｍ')],
    ['too long', 'x'.repeat(201)],
    ['no text', 'a\tb'],
    ['a control character of Latin-1', 'a\x85b'],
    ['a control character in UTF-8', asUtf8('a\u0085b')],
    ['too long in UTF-8', asUtf8('é'.repeat(201))],
  ])('that is %s is rejected, and nothing changes', async (_, actor) => {
    const before = await newest();
    expect(await relabel(actor)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', details: { fields: [{ path: 'X-Actor-Id' }] } },
    });
    expect(await newest()).toEqual(before);
  });
});
