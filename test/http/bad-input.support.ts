import { expect } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { type AnyRoute, isRaw, type Route } from '#shared/http/route.ts';
import type { WatchedHost } from '#test/http/watched-host.support.ts';
import type { ApiResponse, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { DASHBOARD, signIn } from '#test/support/people.ts';

const ALL: readonly AnyRoute[] = Object.values(ROUTES).flat();
export const OURS = ALL.filter((route): route is Route => !isRaw(route));

/** The end of an id that no resource has. */
export const NEVER = '01jzzzzzzzfz0a1b2c3d4e5f6g';
export const addressOf = ({ path }: Pick<AnyRoute, 'path'>, id = `pay_${NEVER}`): string =>
  path.replace(/\{[^}]+\}/, id);

/**
 * The credentials of a request to any endpoint: the demo organization's key, or the session of its owner, who also
 * runs the platform.
 */
export async function admission(host: TestHost): Promise<(route: Route) => CallOptions> {
  const { cookie } = await signIn(host, host.info.owner_email);
  const session = { cookie, origin: DASHBOARD };
  return (route) => {
    const access = route.access;
    if (access === 'scope' || access === 'public') return {};
    if (access === 'anyone') return { key: null };
    return { key: null, headers: access === 'member' ? { ...session, 'x-org-id': host.info.org_id } : session };
  };
}

export const KB = 1024;
/** An object of exactly so many bytes. */
export const ofSize = (bytes: number): string => `{"colour":"${'x'.repeat(bytes - 13)}"}`;

/**
 * The response to a request that must leave no trace, not even a warning in the log; only the count of refusals may
 * change.
 */
export async function refused(host: WatchedHost, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const traces = async () => ({
    stored: await host.stored(),
    calls: host.simulators.calls({}).calls.length,
    logged: host.logged.filter(({ level }) => level !== 'info').length,
  });
  const before = await traces();
  const answer = await send();
  expect(await traces()).toEqual(before);
  const word = expect.stringMatching(/^[a-z_]+$/);
  expect(answer.body).toMatchObject({ error: word, code: word, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  expect(Number(answer.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  return answer;
}

export const verdict = ({ status, body }: ApiResponse): readonly unknown[] => [status, body.error, body.code];
export const INVALID = [400, 'invalid_request', 'invalid_request'] as const;
export const pathsIn = ({ body }: ApiResponse): string[] => body.details.fields.map(({ path }: Body) => path);
