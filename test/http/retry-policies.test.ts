import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const PATH = '/v1/policies/retry';

async function anOrg() {
  const { key, org_id } = await anOrganization(host);
  return {
    org_id,
    save: (body: Body, how = {}): Promise<ApiResponse> => host.call('POST', PATH, body, { key, ...how }),
    read: (query = ''): Promise<ApiResponse> => host.call('GET', PATH + query, undefined, { key }),
    list: async (): Promise<Body[]> => (await host.call('GET', `${PATH}/list`, undefined, { key })).body,
    page: (query: string): Promise<ApiResponse> => host.call('GET', `${PATH}/list${query}`, undefined, { key }),
  };
}
const verdict = ({ status, body }: ApiResponse) => [status, body.code];

describe('a retry policy', () => {
  it('does not exist until it is saved, for the organization or a plan', async () => {
    const { read, list } = await anOrg();
    expect([verdict(await read()), verdict(await read('?plan_id=gold')), await list()]).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [],
    ]);
  });

  it('has the sent fields, and defaults for the others', async () => {
    const { org_id, save, read } = await anOrg();
    const saved = await save({});
    const usual = {
      org_id,
      plan_id: '',
      delays: ['24h', '72h', '120h'],
      max_retries: 3,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect([saved.status, saved.body]).toEqual([200, usual]);
    expect((await save({ plan_id: 'gold', delays: ['15m', '1h'], max_retries: 5 })).body).toMatchObject({
      plan_id: 'gold',
      delays: ['15m', '1h'],
      max_retries: 5,
    });
    expect([
      (await read()).body,
      (await read('?plan_id=')).body,
      (await read('?plan_id=gold')).body.max_retries,
    ]).toEqual([saved.body, saved.body, 5]);
  });

  it('keeps fields that are not sent, and its creation time', async () => {
    const { save } = await anOrg();
    const first = (await save({ delays: ['5m'], max_retries: 1 })).body;
    await advance(host, '1m');
    const second = (await save({ max_retries: 0 })).body;
    expect(second).toEqual({ ...first, max_retries: 0, updated_at: second.updated_at });
    expect(second.updated_at > first.updated_at).toBe(true);
    expect((await save({ delays: [] })).body).toMatchObject({ delays: [], max_retries: 0 });
  });

  it("is listed with the organization's others, newest first", async () => {
    const [{ save, list }, other] = [await anOrg(), await anOrg()];
    for (const plan_id of ['silver', '', 'gold', 'silver']) {
      await save({ plan_id });
      await advance(host, '1s');
    }
    expect([(await list()).map(({ plan_id }) => plan_id), await other.list()]).toEqual([['gold', '', 'silver'], []]);
  });

  it('is found on its page by offset and by the link of the page before', async () => {
    const { save, list, page } = await anOrg();
    for (const plan_id of ['', 'gold', 'line\nbreak', 'zwölf Monate 🥇', 'x'.repeat(200)]) await save({ plan_id });
    const all = await list();
    const [first, second] = [await page('?limit=2'), await page('?limit=2&offset=2')];
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const [linked, last] = [await page(new URL(next).search), await page('?limit=2&offset=4')];
    expect([first.body, second.body, linked.body, last.body]).toEqual([
      all.slice(0, 2),
      all.slice(2, 4),
      all.slice(2, 4),
      all.slice(4),
    ]);
    expect([last.headers.get('link'), (await page('?offset=5')).body]).toEqual([null, []]);
  });

  it('is listed in pages of fifty by default', async () => {
    const { save, list, page } = await anOrg();
    await Promise.all(Array.from({ length: 60 }, (_, n) => save({ plan_id: `plan-${n}` })));
    expect([(await list()).length, (await page('?limit=200')).body.length]).toEqual([50, 60]);
  });

  it('can be saved by fifty concurrent requests', async () => {
    const { save, list } = await anOrg();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => save({ plan_id: 'gold', max_retries: n % 11 })),
    );
    expect([new Set(answers.map(({ status }) => status)), (await list()).length]).toEqual([new Set([200]), 1]);
  });

  it.each<readonly [string, Body, readonly string[]]>([
    ['a delay of seconds', { delays: ['30s'] }, ['delays.0']],
    ['a delay of nothing', { delays: ['0m', '1h'] }, ['delays.0']],
    ['a delay over 30 days', { delays: ['1h', '31d', '721h'] }, ['delays.1', 'delays.2']],
    ['a number for a delay', { delays: [24] }, ['delays.0']],
    ['eleven delays', { delays: Array(11).fill('1h') }, ['delays']],
    ['eleven retries', { max_retries: 11 }, ['max_retries']],
    ['fewer than none', { max_retries: -1 }, ['max_retries']],
    ['half a retry', { max_retries: 1.5 }, ['max_retries']],
    ['a number for a plan', { plan_id: 7 }, ['plan_id']],
    [
      'several errors at once',
      { plan_id: 'x'.repeat(201), delays: 'soon', max_retries: 'three', after: '1d' },
      ['plan_id', 'delays', 'max_retries', 'after'],
    ],
  ])('is rejected with %s', async (_, body, paths) => {
    const { save, list } = await anOrg();
    const answer = await save(body);
    expect([verdict(answer), answer.body.details.fields.map(({ path }: Body) => path), await list()]).toEqual([
      [400, 'invalid_request'],
      paths,
      [],
    ]);
  });
});
