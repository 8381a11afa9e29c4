import { afterAll, beforeAll, expect, it } from 'vitest';
import { platformRoutes } from '#functions/platform/platform.routes.ts';
import { apiRouter } from '#shared/http/api-router.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { cookieOf, mailedToken, signIn, verify } from '#test/support/people.ts';
import { aTotpUser } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/** The platform's function, as it runs on AWS or on one's own computer. */
async function listOrganizations(cookie: string, platformNeedsSecondFactor: boolean): Promise<unknown[]> {
  const handle = apiRouter(platformRoutes, {
    ...host.deps,
    config: { ...host.deps.config, platformNeedsSecondFactor },
  });
  const event = { ...apiEvent('GET /v1/platform/organizations'), cookies: [cookie] };
  const { statusCode, body = '{}' } = await handle(event, {});
  return [statusCode, JSON.parse(body).code];
}

it('lets administrators of the platform act on AWS only with a second factor', async () => {
  const person = await signIn(host, host.info.owner_email);
  expect(await listOrganizations(person.cookie, false)).toEqual([200, undefined]);
  expect(await listOrganizations(person.cookie, true)).toEqual([403, 'second_factor_required']);

  const withApp = await aTotpUser(host, host.info.owner_email);
  const signedIn = await verify(host, await mailedToken(host, host.info.owner_email), withApp.code());
  expect(await listOrganizations(cookieOf(signedIn), true)).toEqual([200, undefined]);
});

it('tells other users nothing about second factors', async () => {
  const { cookie } = await signIn(host, 'nobody@example.com');
  expect(await listOrganizations(cookie, true)).toEqual([403, 'missing_role']);
});
