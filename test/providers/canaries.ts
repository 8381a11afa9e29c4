import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { bodyOf, type Traits } from '#test/providers/journeys.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  type TestOrganization,
} from '#test/support/host.ts';

/** Merchant numbers and the like stand in what a PSP itself keeps and sends; keys and secrets do not. */
const KEPT_BY_THE_PROVIDER = /^(?!.*(key|secret)).* in sandbox\S*-simulators/;
/** Too short or too common to be told from other text. */
const LEAST = 12;

/**
 * No credential and no token of this PSP is seen again in files, logs, answers, deliveries or records, whatever goes
 * wrong.
 */
export function describeCanaries(traits: Traits): void {
  const { provider } = traits;
  const credentials = randomCredentials(provider, 'sandbox') ?? {};
  const values = Object.entries(credentials).flatMap(([name, value]) =>
    [value].flat().map((text) => [name, String(text)] as const),
  );
  const secrets = {
    ...Object.fromEntries(values.filter(([, text]) => text.length >= LEAST)),
    token: `Canary${randomUUID().replaceAll('-', '')}`,
  };
  const answers: string[] = [];
  let host: WatchedHost;
  let org: TestOrganization;

  const call = async (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
    const answer = await host.call(method, path, body, { key: org.key });
    answers.push(`${answer.text}\n${[...answer.headers].join('\n')}`);
    return answer;
  };
  const pay = (word: string, more: Body = {}) => call('POST', '/v1/payments', bodyOf(traits, word, more));
  const scenario = (behaviour: string, more: Body = {}) =>
    host.control('POST', '/psp/scenario', { provider, behaviour, ...more });

  const everything = (): Readonly<Record<string, string>> => ({
    ...filesIn(host.folder),
    'the log': `${inspect(host.logged, { depth: null, maxStringLength: null, showHidden: true })}${JSON.stringify(host.logged)}`,
    'what was answered': answers.join('\n'),
    'what was delivered': host.receivers
      .deliveries('shop')
      .map(({ raw_body, headers }) => `${raw_body}\n${JSON.stringify(headers)}`)
      .join('\n'),
    'what the provider noted': JSON.stringify(host.simulators.calls({})),
  });
  const leaks = () => leaksOf(secrets, everything()).filter((leak) => !KEPT_BY_THE_PROVIDER.test(leak));

  beforeAll(async () => {
    host = await startWatchedHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    org = await anOrganization(host);
    await call('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/shop/hook`, events: ['*'] });
    answers.length = 0;
    expect((await call('POST', '/v1/connections', { provider, credentials })).status).toBe(201);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  it.each<readonly [string, () => Promise<unknown>]>([
    [
      'credentials of another form',
      () => call('POST', '/v1/connections', { provider, credentials: { ...credentials, [secrets.token]: 1 } }),
    ],
    ['a trial of the credentials', () => call('POST', '/v1/connections/test', { provider, credentials })],
    [
      'a charge and its refund',
      async () => call('POST', `/v1/payments/${(await pay('ok')).body.id}/refund`, { amount: 100 }),
    ],
    ['a decline', () => pay('decline_card_declined')],
    ['a token that means nothing there', () => pay(secrets.token)],
    ...['http_500', 'garbage', 'rate_limited', 'refuse_connection', 'timeout_after_charge', 'wrong_amount'].map(
      (behaviour) =>
        [
          `a charge that met with ${behaviour}`,
          async () => {
            await scenario(behaviour);
            return pay(secrets.token);
          },
        ] as const,
    ),
    [
      'a callback that is forged',
      () =>
        fetch(`${host.info.function_url}/webhooks/${provider}`, {
          method: 'POST',
          body: JSON.stringify({ id: 'evt_1', type: 'payment_captured' }),
        }),
    ],
    ['all that time does afterwards', () => host.control('POST', '/clock', { advance: '40m' })],
  ])('no secret is seen after %s', async (_, work) => {
    await work();
    await host.drain();
    expect(leaks()).toEqual([]);
  });

  describe('the search', () => {
    it('looks for every credential, and would find it', () => {
      expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(2);
      for (const [name, secret] of Object.entries(secrets))
        expect(leaksOf({ [name]: secret }, { here: `x${secret}y` })).toHaveLength(1);
    });
  });
}
