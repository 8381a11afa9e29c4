import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { webhookSecretErrors, webhookSecretWarnings } from '#shared/domain/routing/webhook-secret.rules.ts';
import { anOrganization, type Body, startHost, type TestHost, type TestOrganization } from '#test/support/host.ts';
import { faultsIn } from '#test/support/payment-steps.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
  org = await anOrganization(host);
});
afterAll(() => host?.close());

const LONG = 'a-secret-of-28-characters-99';

const post = (path: string, body?: Body) => host.call('POST', `/v1/connections${path}`, body, { key: org.key });
const withSecret = (provider: string, webhook_secret: unknown) => ({
  provider,
  credentials: { ...randomCredentials(provider as 'stripe', 'sandbox'), webhook_secret },
});

describe('a webhook secret that the merchant chooses', () => {
  it.each(['flutterwave', 'razorpay', 'checkout'])('has at least 16 characters at %s', async (provider) => {
    for (const secret of ['short-of-15-chr', ['short-of-15-chr']])
      for (const path of ['', '/test']) {
        const response = await post(path, withSecret(provider, secret));
        expect([response.status, faultsIn(response)]).toEqual([400, ['credentials.webhook_secret']]);
        expect(response.text).toContain('at least 16 characters');
        expect(response.text).not.toContain('short-of-15-chr');
      }
    expect((await post('', withSecret(provider, 'short-of-16-char'))).status).toBe(201);
  });

  it('may be short while a longer one replaces it, with a warning', async () => {
    const { status, body } = await post('', withSecret('flutterwave', [LONG, 'short']));
    expect(status).toBe(201);
    expect((await post(`/${body.id}/validate`)).body.warnings).toEqual([expect.stringContaining('fewer than 16')]);
  });

  it('of one character is refused', async () => {
    expect(faultsIn(await post('', withSecret('flutterwave', 'x')))).toEqual(['credentials.webhook_secret']);
    expect(faultsIn(await post('', withSecret('razorpay', 'x')))).toEqual(['credentials.webhook_secret']);
  });
});

describe('a short webhook secret that the provider may have given', () => {
  it.each([
    ['stripe', 'whsec_1'],
    ['mollie', 'x'],
    ['paystack', 'sk_test_'],
  ])(
    'is accepted at %s, and named as a warning when the connection is tested or validated',
    async (provider, secret) => {
      const input = withSecret(provider, secret);
      expect((await post('/test', input)).body).toMatchObject({ warnings: [expect.stringContaining('fewer than 16')] });
      const { status, body } = await post('', input);
      expect([status, body]).toEqual([201, expect.not.objectContaining({ warnings: expect.anything() })]);
      const validated = await post(`/${body.id}/validate`);
      expect([validated.status, validated.body.warnings]).toEqual([200, [expect.stringContaining('Replace it')]]);
    },
  );

  it('is no warning where it is long, or is no secret', async () => {
    for (const input of [withSecret('stripe', `whsec_${'a'.repeat(16)}`), withSecret('paypal', '1JE429')])
      expect((await post('/test', input)).body).not.toHaveProperty('warnings');
  });
});

describe('the rule of webhook secrets', () => {
  it('warns of a short one that an earlier version has stored, and knows no other errors', () => {
    expect(webhookSecretWarnings({ webhook_secret: 'x' }, 'merchant')).toHaveLength(1);
    expect(webhookSecretErrors({}, 'merchant')).toEqual([]);
    expect(webhookSecretErrors({ webhook_secret: 'x' })).toEqual([]);
    expect(webhookSecretErrors({ webhook_secret: 'x' }, 'public')).toEqual([]);
  });
});
