import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

/** PayPal keys look alike in both modes; its two base URLs distinguish them. */
const TELLING = PROVIDERS.filter((provider) => provider !== 'paypal');

describe.each([
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const)('a connection of mode %s', (mode, other) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ stage: mode, demoProviders: [] });
  });
  afterAll(() => host?.close());

  it.each(TELLING)(
    `at %s rejects credentials of mode ${other}, when it is created, changed and tested`,
    async (provider) => {
      const [own, foreign] = [randomCredentials(provider, mode), randomCredentials(provider, other)];
      const id = `conn-${provider}`;
      const refused = [
        400,
        [
          {
            path: 'credentials',
            message: `These are ${other} credentials, but the connection is in ${mode} mode.`,
          },
        ],
      ];
      const send = async (path: string, credentials: unknown) => {
        const { status, body } = await host.call('POST', path, { id, provider, credentials });
        return [status, body.details?.fields];
      };
      expect(await send('/v1/connections', foreign)).toEqual(refused);
      expect(await send('/v1/connections/test', foreign)).toEqual(refused);
      expect((await host.call('GET', `/v1/connections/${id}`)).status).toBe(404);
      expect(await send('/v1/connections', own)).toEqual([201, undefined]);
      expect(await send('/v1/connections', foreign)).toEqual(refused);
    },
  );
});

describe('the live stage', () => {
  it('accepts sandbox credentials for a sandbox connection', async () => {
    const host = await startHost({ stage: 'live', demoProviders: [] });
    const body = { provider: 'stripe', mode: 'sandbox', credentials: randomCredentials('stripe', 'sandbox') };
    expect((await host.call('POST', '/v1/connections', body)).status).toBe(201);
    await host.close();
  });
});
