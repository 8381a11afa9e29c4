import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCredential } from '#functions/auth/passkey/webauthn-checks.ts';
import { awsContainer } from '#shared/container/aws.container.ts';
import { creationOptions } from '#shared/domain/accounts/passkey-options.rules.ts';
import { awsEnv } from '#shared/env.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type AwsAccount, startAwsAccount } from '#test/support/aws-account.ts';
import { aContext, apiEvent } from '#test/support/aws-events.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
/** Where the functions are, and their pages with them; it is named nowhere as a dashboard's. */
const OWN = 'https://api.example.com';

dynamoDbSuite('the function that signs people in', (local) => {
  let account: AwsAccount;
  beforeAll(async () => {
    account = await startAwsAccount(local());
  });
  afterAll(() => account?.stop());

  async function invoke(route: string, { origin, body }: { readonly origin?: string; readonly body?: unknown } = {}) {
    const { handler } = await import('#functions/auth/auth.lambda.ts');
    const headers = { 'x-forwarded-proto': 'https', ...(origin !== undefined && { origin }) };
    const answer = await handler(apiEvent(route, { headers, ...(body !== undefined && { body }) }), aContext());
    return { ...answer, status: answer.statusCode, body: answer.body ?? '' };
  }
  const begin = (origin: string) => invoke('POST /v1/auth/webauthn/authenticate/begin', { origin });

  /** Somebody with a passkey of this domain, as if registered before. */
  async function aHolder() {
    const [deps, device, at] = [
      await awsContainer(awsEnv(), SILENT)(),
      new Authenticator(),
      new Date(Date.now() - SECOND),
    ];
    const created_at = at.toISOString();
    const user = { id: newId('user', at), email: 'holder@example.com', totp: null, created_at, version: 1 };
    const session = {
      id: newId('session', at),
      user_id: user.id,
      email: user.email,
      created_at,
      ends_at: created_at,
      hash: 'a'.repeat(64),
    };
    await deps.users.enter({ session, user, isNew: true, begun: [], takenUp: [] });
    const asked = { challenge: 'A'.repeat(44), origin: OWN, domain: deps.config.passkeyDomain };
    const made = await newCredential(
      device.create(creationOptions(asked, user, [], 'sandbox'), { origin: OWN }),
      asked,
    );
    await deps.passkeys.add(
      { ...made, user_id: user.id, name: null, transports: [], created_at, last_used_at: null },
      user,
    );
    return { device, user };
  }

  it('takes a passkey from its own page, whose origin need not be configured', async () => {
    const { device, user } = await aHolder();
    const options = JSON.parse((await begin(OWN)).body);
    expect(options.rpId).toBe('api.example.com');
    const answer = await invoke('POST /v1/auth/webauthn/authenticate/finish', {
      origin: OWN,
      body: device.get(options, { origin: OWN }),
    });
    expect([answer.status, JSON.parse(answer.body).user.id, answer.cookies?.length]).toEqual([200, user.id, 1]);
  });

  it.each(['https://evil.example', 'http://api.example.com', 'http://localhost:5173'])(
    'takes nothing from a page of %s',
    async (origin) => {
      const refused = await begin(origin);
      expect([refused.status, JSON.parse(refused.body).code, refused.headers?.['access-control-allow-origin']]).toEqual(
        [403, 'bad_origin', undefined],
      );
    },
  );

  it('shows its page for https alone from now on', async () => {
    const page = await invoke('GET /sign-in');
    expect([page.status, page.headers?.['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });
});
