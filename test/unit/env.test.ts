import { describe, expect, it } from 'vitest';
import { localEnv } from '#shared/env.ts';

describe('the environment of the local host', () => {
  it('can be empty', () => {
    expect(localEnv({})).toEqual({
      port: 4_000,
      dataDir: '.local',
      store: 'sqlite',
      stage: 'sandbox',
      rateLimits: true,
      pspUrls: {},
    });
  });

  it('is read completely', () => {
    const variables = {
      PORT: '5000',
      DATA_DIR: ':memory:',
      STORE: 'dynamodb',
      STAGE: 'live',
      RATE_LIMITS: 'off',
      PSP_URL_STRIPE: 'http://127.0.0.1:9',
    };
    expect(localEnv(variables)).toEqual({
      port: 5_000,
      dataDir: ':memory:',
      store: 'dynamodb',
      stage: 'live',
      rateLimits: false,
      pspUrls: { stripe: 'http://127.0.0.1:9' },
    });
  });

  it.each([
    ['an invalid port', { PORT: '40x' }, /PORT must be a whole number/],
    ['a port without room for three more', { PORT: '65533' }, /PORT must be a whole number from 1 to 65532/],
    ['an unknown store', { STORE: 'mongo' }, /STORE must be sqlite or dynamodb/],
    ['an unknown stage', { STAGE: 'prod' }, /STAGE must be sandbox or live/],
    ['an invalid limit', { RATE_LIMITS: 'no' }, /RATE_LIMITS must be on or off/],
    ['an invalid URL', { PSP_URL_STRIPE: 'localhost:9' }, /PSP_URL_STRIPE must be an absolute http or https address/],
    ['two errors at once', { PORT: '0', STAGE: '' }, /PORT[\s\S]*STAGE/],
  ])('is rejected with %s', (_, variables, message) => {
    expect(() => localEnv(variables)).toThrow(message);
  });
});
