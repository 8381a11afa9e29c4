import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { storedInEmulator } from '#test/support/emulated-items.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { bytesOf, codeAt, skipSteps, wrongCodeAt } from '#test/support/totp-app.ts';

let host: WatchedHost;
let person: SignedInUser;
let secret: string;
let recoveryCodes: readonly string[];
/** All responses except the one that shows the secrets. */
const answers: string[] = [];
/** The six-digit codes that were sent, right and wrong. */
const sent = new Set<string>();

const recorded = (answer: ApiResponse): ApiResponse => {
  answers.push(`${answer.text}\n${[...answer.headers].join('\n')}`);
  return answer;
};
const call = async (path: string, body?: Body) => recorded(await person.call('POST', path, body));
const now = (ahead = 0): string => codeAt(secret, host.clock.now(), ahead);
const send = (code: string): string => {
  sent.add(code);
  return code;
};
const signInWith = async (code: string) =>
  recorded(await verify(host, await mailedToken(host, person.user.email), code));

beforeAll(async () => {
  host = await startWatchedHost();
  person = await signIn(host, 'canary@example.com');
  ({ secret, recovery_codes: recoveryCodes } = (await person.call('POST', '/v1/auth/2fa/setup')).body);
});
afterAll(() => host?.close());

const secrets = (): Readonly<Record<string, string>> => ({
  secret,
  'secret in hex': bytesOf(secret).toString('hex'),
  'secret in base64': bytesOf(secret).toString('base64').slice(0, -2),
  'secret as bytes': bytesOf(secret).toString('latin1'),
  ...Object.fromEntries(recoveryCodes.map((code, nth) => [`recovery code ${nth}`, code])),
  ...Object.fromEntries(recoveryCodes.map((code, nth) => [`plain recovery code ${nth}`, code.replaceAll('-', '')])),
});

async function everything(): Promise<Readonly<Record<string, string>>> {
  return {
    ...filesIn(host.folder),
    ...(await storedInEmulator(host.folder)),
    'the log': `${inspect(host.logged, { depth: null, maxStringLength: null, showHidden: true })}${JSON.stringify(host.logged)}`,
    'what was answered': answers.join('\n'),
  };
}

/** Six digits occur by chance within longer texts, so only separate ones count. */
const codesIn = (places: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    [...sent].filter((code) => new RegExp(`(?<!\\w)${code}(?!\\w)`).test(text)).map((code) => `${code} in ${place}`),
  );

describe('neither the secret nor any code appears in files, logs or responses', () => {
  it.each<readonly [string, readonly unknown[], () => Promise<ApiResponse>]>([
    [
      'a wrong code while enabling',
      [401, 'invalid_code'],
      () => call('/v1/auth/2fa/enable', { code: send(wrongCodeAt(secret, host.clock.now())) }),
    ],
    ['enabling it', [200, undefined], () => call('/v1/auth/2fa/enable', { code: send(now()) })],
    ['a sign-in', [200, undefined], () => skipSteps(host).then(() => signInWith(send(now())))],
    ['a sign-in with a used code', [401, 'invalid_code'], () => signInWith(send(now()))],
    ['a sign-in with a recovery code', [200, undefined], () => signInWith(recoveryCodes[0]!)],
    ['a sign-in with a used recovery code', [401, 'invalid_code'], () => signInWith(recoveryCodes[0]!)],
    [
      'a code with an unknown field',
      [400, 'invalid_request'],
      () => call('/v1/auth/2fa/disable', { code: send(now(1)), another: recoveryCodes[2] }),
    ],
    [
      'a code with another one after it',
      [401, 'invalid_code'],
      () => signInWith(`${recoveryCodes[1]} ${recoveryCodes[2]}`),
    ],
    ['a vault error', [500, 'internal_error'], () => broken('vault')],
    ['a table error', [500, 'internal_error'], () => broken('table')],
  ])('after %s', async (_, expected, act) => {
    const { status, body } = await act();
    expect([status, body.code]).toEqual(expected);
    await host.drain();
    const places = await everything();
    expect([...leaksOf(secrets(), places), ...codesIn(places)]).toEqual([]);
  });

  const broken = async (point: string): Promise<ApiResponse> => {
    await skipSteps(host);
    const token = await mailedToken(host, person.user.email);
    await host.control('POST', '/faults', { point, nth: 1, kind: 'error', when: 'after', handler: 'auth' });
    const answer = recorded(await verify(host, token, send(now())));
    await host.control('DELETE', '/faults');
    return answer;
  };

  it('and the search covers the places where data is stored', async () => {
    const places = await everything();
    const { 'what was answered': answered = '', 'the log': log = '', ...files } = places;
    const stored = Object.values(files).join('');
    expect([stored.includes('recovery_hashes'), answered.includes('totp_enabled'), log.includes('Injected')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(leaksOf(secrets(), { here: secret, there: `x ${recoveryCodes[3]}` })).toHaveLength(2);
    expect(codesIn({ here: `?code=${[...sent][0]}&`, there: `1${[...sent][0]}` })).toHaveLength(1);
  });
});
