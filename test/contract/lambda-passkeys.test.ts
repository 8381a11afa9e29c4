import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyRegistration } from '#functions/auth/verify-passkey.ts';
import { creationOptions } from '#shared/domain/accounts/passkey.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type AwsAccount, startAwsAccount } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { aContext, apiEvent } from '#test/support/aws-events.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

/** The API's own origin, which serves the pages too. No setting names it as a dashboard. */
const API_ORIGIN = 'https://api.example.com';

dynamoDbSuite('the auth function and the sign-in page on AWS', (local) => {
  let account: AwsAccount;
  beforeAll(async () => {
    account = await startAwsAccount(local());
  });
  afterAll(() => account?.stop());

  async function invoke(route: string, { origin, body }: { readonly origin?: string; readonly body?: unknown } = {}) {
    const { handler } = await account.asFunction('auth', () => import('#functions/auth/auth.lambda.ts'));
    const headers = { 'x-forwarded-proto': 'https', ...(origin !== undefined && { origin }) };
    const response = await handler(apiEvent(route, { headers, ...(body !== undefined && { body }) }), aContext());
    return { ...response, status: response.statusCode, body: response.body ?? '' };
  }
  const begin = (origin: string) => invoke('POST /v1/auth/webauthn/authenticate/begin', { origin });

  /** A user with a registered passkey. */
  async function aPasskeyUser() {
    const [deps, device, at] = [await awsDeps(), new Authenticator(), new Date(Date.now() - SECOND)];
    const created_at = at.toISOString();
    const user = { id: newId('user', at), email: 'holder@example.com', totp: null, created_at, version: 1 };
    const session = {
      id: newId('session', at),
      user_id: user.id,
      email: user.email,
      created_at,
      ends_at: created_at,
      proved_at: created_at,
      proved_by: 'mail' as const,
      hash: 'a'.repeat(64),
    };
    await deps.users.recordSignIn({ session, user, isNew: true, newMemberships: [], acceptedInvitations: [] });
    const ceremony = { challenge: 'A'.repeat(44), origin: API_ORIGIN, domain: deps.config.passkeyDomain };
    const credential = await verifyRegistration(
      device.create(creationOptions(ceremony, user, [], 'sandbox'), { origin: API_ORIGIN }),
      ceremony,
    );
    await deps.passkeys.add(
      { ...credential, user_id: user.id, name: null, transports: [], created_at, created_by: null, last_used_at: null },
      user,
    );
    return { device, user };
  }

  it('accepts a passkey from its own page, whose origin needs no configuration', async () => {
    const { device, user } = await aPasskeyUser();
    const options = JSON.parse((await begin(API_ORIGIN)).body);
    expect(options.rpId).toBe('api.example.com');
    const response = await invoke('POST /v1/auth/webauthn/authenticate/finish', {
      origin: API_ORIGIN,
      body: device.get(options, { origin: API_ORIGIN }),
    });
    expect([response.status, JSON.parse(response.body).user.id, response.cookies?.length]).toEqual([200, user.id, 2]);
  });

  it.each(['https://evil.example', 'http://api.example.com', 'http://localhost:5173'])(
    'refuses requests from a page of %s',
    async (origin) => {
      const refused = await begin(origin);
      expect([refused.status, JSON.parse(refused.body).code, refused.headers?.['access-control-allow-origin']]).toEqual(
        [403, 'bad_origin', undefined],
      );
    },
  );

  it('asks administrators of the platform for a second factor', async () => {
    expect((await awsDeps()).config.platformNeedsSecondFactor).toBe(true);
  });

  it('serves the sign-in page with HSTS', async () => {
    const { handler } = await account.asFunction(
      'hosted-pages',
      () => import('#functions/hosted-pages/hosted-pages.lambda.ts'),
    );
    const headers = { 'x-forwarded-proto': 'https' };
    const page = await handler(apiEvent('GET /sign-in', { headers }), aContext());
    expect([page.statusCode, page.headers?.['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });
});
