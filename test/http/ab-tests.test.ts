import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aLab,
  createTest,
  editTest,
  type Lab,
  makeTest,
  move,
  OTHER_PATH,
  PATH,
  readTest,
  variantsOf,
} from '#test/support/ab-test-steps.ts';
import { type ApiResponse, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { faultsIn, keyWith } from '#test/support/payment-steps.ts';

let host: TestHost;
let lab: Lab;
beforeAll(async () => {
  host = await startHost();
  lab = await aLab(host);
});
afterAll(() => host.close());

const call = (method: string, path: string, body?: Body, how = {}) =>
  host.call(method, path, body, { ...lab.how, ...how });
const soon = (ms: number) => new Date(host.clock.now().getTime() + ms).toISOString();
const HOUR = 3_600_000;

describe.each([PATH, OTHER_PATH])('POST %s', (path) => {
  it('creates a draft, by default with all traffic and without an end', async () => {
    const { status, body, headers } = await call('POST', path, { name: 'a or b', variants: variantsOf(lab) });
    expect([status, headers.get('location')]).toEqual([201, `${OTHER_PATH}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^abt_[0-9a-z]{26}$/),
      org_id: lab.org_id,
      mode: 'sandbox',
      name: 'a or b',
      description: null,
      status: 'draft',
      variants: variantsOf(lab),
      traffic_percentage: 100,
      target_currencies: [],
      target_countries: [],
      target_methods: [],
      start_at: null,
      end_at: null,
      start_failure: null,
      total_transactions: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await call('GET', `${PATH}/${body.id}`)).body).toEqual(body);
    expect((await call('GET', `${OTHER_PATH}/${body.id}`)).body).toEqual(body);
  });
});

describe(`POST ${PATH}`, () => {
  it('stores its targets in upper case and without duplicates', async () => {
    const [start_at, end_at] = [soon(HOUR), soon(2 * HOUR)];
    const more = { description: 'Why not', traffic_percentage: 12.5, target_methods: ['card'], start_at, end_at };
    expect(
      await makeTest(lab, { ...more, target_currencies: ['eur', 'EUR', 'usd'], target_countries: ['de'] }),
    ).toMatchObject({
      ...more,
      target_currencies: ['EUR', 'USD'],
      target_countries: ['DE'],
    });
  });

  const variant = (n: number, about: Body = {}) => ({ ...variantsOf(lab)[n % 2], name: `V${n}`, ...about });
  it.each<[string, () => Body, string[]]>([
    ['no variants', () => ({ variants: [] }), ['variants']],
    ['one variant', () => ({ variants: [variant(1)] }), ['variants']],
    ['eleven variants', () => ({ variants: Array.from({ length: 11 }, (_, n) => variant(n)) }), ['variants']],
    ['duplicate variant names', () => ({ variants: [variant(1), variant(2, { name: 'V1' })] }), ['variants']],
    ['a weight of zero', () => ({ variants: [variant(1), variant(2, { weight: 0 })] }), ['variants.1.weight']],
    [
      'a weight that is too large',
      () => ({ variants: [variant(1), variant(2, { weight: 10_001 })] }),
      ['variants.1.weight'],
    ],
    ['a fractional weight', () => ({ variants: [variant(1, { weight: 1.5 }), variant(2)] }), ['variants.0.weight']],
    [
      'an unknown rule',
      () => ({ variants: [variant(1), variant(2, { routing_rule_id: 'never' })] }),
      ['variants.1.routing_rule_id'],
    ],
    ['more than all traffic', () => ({ traffic_percentage: 100.1 }), ['traffic_percentage']],
    ['less than no traffic', () => ({ traffic_percentage: -1 }), ['traffic_percentage']],
    [
      'invalid targets',
      () => ({ target_currencies: ['XXY'], target_countries: ['XX'], target_methods: ['Card!'] }),
      ['target_countries.0', 'target_currencies.0', 'target_methods.0'],
    ],
    ['invalid times', () => ({ start_at: 'soon', end_at: 5 }), ['end_at', 'start_at']],
    ['an end before the start', () => ({ start_at: soon(2 * HOUR), end_at: soon(HOUR) }), ['end_at']],
    ['an end that has passed', () => ({ end_at: soon(-HOUR) }), ['end_at']],
    ['an unknown field', () => ({ status: 'running' }), ['status']],
    ['a blank name', () => ({ name: ' ' }), ['name']],
  ])('returns 400 for %s', async (_, more, paths) => {
    const answer = await createTest(lab, more());
    expect([answer.status, faultsIn(answer).toSorted()]).toEqual([400, paths]);
  });

  it('returns 400 for a missing rule or one of another organization', async () => {
    const theirs = await aLab(host);
    const naming = (routing_rule_id: string) =>
      createTest(lab, { variants: [variant(1), variant(2, { routing_rule_id })] });
    expect((await naming(theirs.rules.a)).text).toBe((await naming('never')).text);
  });

  it('returns the same response for the same idempotency key, which is optional', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await createTest(lab, {}, how);
    expect((await createTest(lab, {}, how)).text).toBe(first.text);
    expect((await createTest(lab, { name: 'x' }, how)).body.code).toBe('idempotency_key_reused');
    expect((await createTest(lab, {}, { idempotencyKey: null })).status).toBe(201);
  });
});

describe.each([PATH, OTHER_PATH])('GET %s', (path) => {
  it('lists the newest first, page by page, by status', async () => {
    const own = await aLab(host);
    const list = async (query: string) => host.call('GET', path + query, undefined, own.how);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await makeTest(own, { name: `Test ${n}` })).id);
    const idsIn = ({ body }: ApiResponse) => body.ab_tests.map(({ id }: Body) => id);
    const first = await list('?limit=2');
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, total: 3, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, own.how);
    expect([...idsIn(first), ...idsIn(second)]).toEqual(ids);
    await move(own, ids[1]!, 'start');
    const running = await list('?status=running');
    expect([idsIn(running), running.body.pagination.total]).toEqual([[ids[1]], 1]);
    expect(idsIn(await list('?status=draft&offset=1'))).toEqual([ids[2]]);
  });

  it.each(['limit=0', 'limit=101', 'offset=-1', 'cursor=x', 'status=over', 'name=x'])(
    'answers 400 for ?%s',
    async (query) => {
      expect((await call('GET', `${path}?${query}`)).body.code).toBe('invalid_request');
    },
  );
});

describe(`PATCH ${PATH}/{id}`, () => {
  it('changes the sent fields, and nothing else', async () => {
    const made = await makeTest(lab, { end_at: soon(HOUR) });
    const wish = { name: 'New', traffic_percentage: 0, target_countries: ['FR'], end_at: null };
    const { status, body } = await editTest(lab, made.id, wish);
    expect([status, body]).toEqual([200, { ...made, ...wish, updated_at: expect.any(String) }]);
    expect(await readTest(lab, made.id)).toEqual(body);
  });

  it('merges concurrent changes', async () => {
    const { id } = await makeTest(lab);
    await Promise.all(
      [{ name: 'New' }, { description: 'So' }, { traffic_percentage: 5 }].map((wish) => editTest(lab, id, wish)),
    );
    expect(await readTest(lab, id)).toMatchObject({ name: 'New', description: 'So', traffic_percentage: 5 });
  });

  it.each<[string, () => Body, string]>([
    ['an end before the start', () => ({ end_at: soon(HOUR) }), 'end_at'],
    ['a start after the end', () => ({ start_at: soon(4 * HOUR) }), 'start_at'],
    [
      'an unknown rule',
      () => ({ variants: [{ ...variantsOf(lab)[0], routing_rule_id: 'never' }, variantsOf(lab)[1]] }),
      'variants.0.routing_rule_id',
    ],
    ['a status', () => ({ status: 'running' }), 'status'],
  ])('returns 400 for %s, and changes nothing', async (_, wish, path) => {
    const made = await makeTest(lab, { start_at: soon(2 * HOUR), end_at: soon(3 * HOUR) });
    expect(faultsIn(await editTest(lab, made.id, wish()))).toEqual([path]);
    expect(await readTest(lab, made.id)).toEqual(made);
  });

  it('rejects changes of variants once the test has run, and any change of a completed test', async () => {
    const own = await aLab(host);
    const { id, variants } = await makeTest(own);
    const heavier = variants.map((each: Body) => ({ ...each, weight: 2 }));
    expect((await editTest(own, id, { variants: heavier })).status).toBe(200);
    await move(own, id, 'start');
    await move(own, id, 'pause');
    expect(await editTest(own, id, { variants })).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'ab_test_has_run' },
    });
    expect((await editTest(own, id, { start_at: soon(HOUR) })).body.code).toBe('ab_test_has_run');
    expect((await editTest(own, id, { variants: heavier, name: 'As it was' })).status).toBe(200);
    await move(own, id, 'complete');
    expect((await editTest(own, id, { name: 'x' })).body.code).toBe('ab_test_not_editable');
  });

  it('succeeds for each of fifty concurrent requests', async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    const edits = await Promise.all(
      Array.from({ length: 50 }, (_, n) => editTest(own, id, { description: `Edit ${n}` })),
    );
    expect(new Set(edits.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('does not make a running test overlap another one', async () => {
    const own = await aLab(host);
    const [first, second] = [
      await makeTest(own, { target_countries: ['DE'] }),
      await makeTest(own, { target_countries: ['FR'] }),
    ];
    for (const { id } of [first, second]) expect((await move(own, id, 'start')).body.status).toBe('running');
    expect(await editTest(own, second.id, { target_countries: ['FR', 'DE'] })).toMatchObject({
      status: 409,
      body: { code: 'ab_test_overlap', details: { ab_test_id: first.id } },
    });
    expect((await editTest(own, second.id, { target_countries: ['FR', 'IT'] })).status).toBe(200);
  });
});

describe.each([PATH, OTHER_PATH])('the status changes at %s', (path) => {
  const step = async (own: Lab, id: string, name: string) => {
    const { status, body } = await host.call('POST', `${path}/${id}/${name}`, undefined, own.how);
    return status === 200 ? body.status : body.code;
  };

  it('go from draft to running, to paused and back, and end completed', async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    const [start, pause, complete] = ['start', 'pause', 'complete'].map((name) => () => step(own, id, name)) as [
      () => unknown,
      () => unknown,
      () => unknown,
    ];
    expect([await pause(), await complete()]).toEqual(['ab_test_not_pausable', 'ab_test_not_completable']);
    expect([await start(), await start()]).toEqual(['running', 'ab_test_not_startable']);
    expect([await pause(), await pause(), await start()]).toEqual(['paused', 'ab_test_not_pausable', 'running']);
    expect([await complete(), await complete()]).toEqual(['completed', 'ab_test_not_completable']);
    expect([await start(), await pause(), (await readTest(own, id)).status]).toEqual([
      'ab_test_not_startable',
      'ab_test_not_pausable',
      'completed',
    ]);
  });

  it('complete a paused test', async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    expect([await step(own, id, 'start'), await step(own, id, 'pause'), await step(own, id, 'complete')]).toEqual([
      'running',
      'paused',
      'completed',
    ]);
  });

  it('return the same response for the same idempotency key, which is optional', async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    const start = (idempotencyKey: string | null) =>
      host.call('POST', `${path}/${id}/start`, undefined, { ...own.how, idempotencyKey });
    const key = randomUUID();
    const first = await start(key);
    expect([(await start(key)).text, (await start(null)).status]).toEqual([first.text, 409]);
  });
});

describe('two tests', () => {
  it.each<[string, Body, Body, boolean]>([
    ['of everything', {}, {}, true],
    ['of everything and of something', {}, { target_methods: ['ideal'], target_currencies: ['EUR'] }, true],
    ['of different currencies', { target_currencies: ['EUR'] }, { target_currencies: ['USD', 'GBP'] }, false],
    ['of a currency in common', { target_currencies: ['EUR', 'USD'] }, { target_currencies: ['USD', 'GBP'] }, true],
    [
      'of different methods in one country',
      { target_methods: ['card'], target_countries: ['DE'] },
      { target_methods: ['ideal'], target_countries: ['DE'] },
      false,
    ],
    ['that take half of the same traffic each', { traffic_percentage: 50 }, { traffic_percentage: 50 }, true],
  ])('%s do not run at once where they overlap', async (_, one, other, overlap) => {
    const own = await aLab(host);
    const [first, second] = [await makeTest(own, one), await makeTest(own, other)];
    expect((await move(own, first.id, 'start')).status).toBe(200);
    const answer = await move(own, second.id, 'start');
    expect(answer).toMatchObject(
      overlap ? { status: 409, body: { code: 'ab_test_overlap', details: { ab_test_id: first.id } } } : { status: 200 },
    );
    await move(own, first.id, 'pause');
    if (overlap) expect((await move(own, second.id, 'start')).status).toBe(200);
  });

  it('start once if both are started at the same moment', async () => {
    const own = await aLab(host);
    for (let round = 0; round < 5; round += 1) {
      const tests = await Promise.all(Array.from({ length: 4 }, () => makeTest(own)));
      const answers = await Promise.all(tests.map(({ id }) => move(own, id, 'start')));
      expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([
        200,
        'ab_test_overlap',
        'ab_test_overlap',
        'ab_test_overlap',
      ]);
      for (const { id } of tests) await move(own, id, 'complete');
    }
  });

  it('run beside each other up to sixteen', async () => {
    const own = await aLab(host);
    const currencies = [
      'EUR',
      'USD',
      'GBP',
      'CHF',
      'SEK',
      'NOK',
      'DKK',
      'PLN',
      'CZK',
      'HUF',
      'JPY',
      'KWD',
      'NGN',
      'GHS',
      'KES',
      'INR',
      'ZAR',
    ];
    const tests = await Promise.all(currencies.map((currency) => makeTest(own, { target_currencies: [currency] })));
    for (const { id } of tests.slice(0, -1)) expect((await move(own, id, 'start')).status).toBe(200);
    expect(await move(own, tests.at(-1)!.id, 'start')).toMatchObject({ status: 409, body: { code: 'ab_test_limit' } });
  });
});

describe('a routing rule that a variant uses', () => {
  const drop = (own: Lab, id: string) => host.call('DELETE', `/v1/routing-rules/${id}`, undefined, own.how);

  it("can't be deleted from the first start until the test is completed", async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    for (const step of ['start', 'pause', 'start'] as const) {
      await move(own, id, step);
      expect(await drop(own, own.rules.a)).toMatchObject({ status: 409, body: { code: 'routing_rule_in_use' } });
    }
    expect((await host.call('PATCH', `/v1/routing-rules/${own.rules.a}`, { name: 'Renamed' }, own.how)).status).toBe(
      200,
    );
    expect((await drop(own, own.rules.a)).status).toBe(409);
    await move(own, id, 'complete');
    expect((await drop(own, own.rules.a)).status).toBe(200);
  });

  it('can be deleted while the test is a draft, which then needs another rule to start', async () => {
    const own = await aLab(host);
    const { id } = await makeTest(own);
    expect((await drop(own, own.rules.a)).status).toBe(200);
    expect(await move(own, id, 'start')).toMatchObject({ status: 409, body: { code: 'ab_test_rule_missing' } });
    expect((await readTest(own, id)).status).toBe('draft');
    const [first, second] = variantsOf(own);
    await editTest(own, id, { variants: [{ ...first, routing_rule_id: own.rules.b }, second] });
    expect((await move(own, id, 'start')).body.status).toBe('running');
    expect((await drop(own, own.rules.b)).status).toBe(409);
  });

  it('is either deleted or used, if both are requested at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await aLab(host);
      const { id } = await makeTest(own);
      const [started, dropped] = await Promise.all([move(own, id, 'start'), drop(own, own.rules.a)]);
      expect(['200,409', '409,200']).toContain([started.status, dropped.status].join());
    }
  });
});

describe.each(
  [PATH, OTHER_PATH].flatMap((path) =>
    [
      ['POST', '', {}, 'connections:write'],
      ['GET', '', undefined, 'connections:read'],
      ['GET', '/ID', undefined, 'connections:read'],
      ['GET', '/ID/results', undefined, 'connections:read'],
      ['GET', '/ID/comparison', undefined, 'connections:read'],
      ['PATCH', '/ID', { name: 'x' }, 'connections:write'],
      ['POST', '/ID/start', undefined, 'connections:write'],
      ['POST', '/ID/pause', undefined, 'connections:write'],
      ['POST', '/ID/complete', undefined, 'connections:write'],
    ].map(([method, rest, body, scope]) => [method as string, path + rest, body as Body, scope as string] as const),
  ),
)('%s %s', (method, template, body, scope) => {
  it('checks its callers, and hides the tests of others', async () => {
    const made = await makeTest(lab);
    const path = template.replace('ID', made.id);
    expect((await call(method, path, body, { key: null })).status).toBe(401);
    const lacking = await keyWith(host, [scope === 'connections:read' ? 'connections:write' : 'connections:read'], {
      key: lab.key,
    });
    expect(await call(method, path, body, { key: lacking })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(scope) },
    });
    if (path === template) return;
    const { key } = await anOrganization(host);
    for (const id of [made.id, 'abt_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense']) {
      const answer = await call(method, template.replace('ID', id), body, { key });
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', message: 'There is no such A/B test.' } });
    }
    expect(await readTest(lab, made.id)).toEqual(made);
  });
});
