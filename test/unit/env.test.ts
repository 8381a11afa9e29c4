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
      hashVersions: { current: 1 },
      callbackUrl: undefined,
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
      HASH_VERSIONS: '2,1',
      CALLBACK_URL: 'https://tunnel.example.com/callbacks/',
      PSP_URL_STRIPE: 'http://127.0.0.1:9',
    };
    expect(localEnv(variables)).toEqual({
      port: 5_000,
      dataDir: ':memory:',
      store: 'dynamodb',
      stage: 'live',
      rateLimits: false,
      hashVersions: { current: 2, previous: 1 },
      callbackUrl: 'https://tunnel.example.com/callbacks',
      pspUrls: { stripe: 'http://127.0.0.1:9' },
    });
  });

  it.each(['shop', './my shop', '/srv/data:1', 'C:\\shop', 'ÄÖÜ', '...'])('names any other folder: %s', (path) =>
    expect(localEnv({ DATA_DIR: path }).dataDir).toBe(path),
  );

  it.each([
    ['an invalid port', { PORT: '40x' }, /^PORT must be a whole number.* It is "40x"\.$/],
    ['an empty port', { PORT: '' }, /^PORT must be a whole number/],
    ['an empty folder name', { DATA_DIR: '' }, /^DATA_DIR must name a folder, or be :memory:\.$/],
    ['a blank folder name', { DATA_DIR: ' ' }, /^DATA_DIR must name a folder, or be :memory:\.$/],
    ['a home that the shell has not replaced', { DATA_DIR: '~/shop' }, /^DATA_DIR begins with ~.*\$HOME/],
    ["another user's home", { DATA_DIR: '~root/shop' }, /^DATA_DIR begins with ~/],
    ['a variable in single quotes', { DATA_DIR: '$HOME/shop' }, /^DATA_DIR has a variable.*double quotes/],
    ['half of :memory:', { DATA_DIR: ':memory' }, /^DATA_DIR begins with a colon.* write :memory:/],
    [':memory: in capitals', { DATA_DIR: ':MEMORY:' }, /^DATA_DIR begins with a colon.* It is ":MEMORY:"\.$/],
    ['a URL as folder', { DATA_DIR: 'file:///tmp/shop' }, /^DATA_DIR is a URL\. Write the path/],
    ['a line break in the folder', { DATA_DIR: '/tmp/a\nb' }, /^DATA_DIR has a line break.* "\/tmp\/a\\nb"\.$/],
    ['a blank after the folder', { DATA_DIR: '/tmp/shop ' }, /^DATA_DIR begins or ends with a blank\./],
    ['a folder in quotes', { DATA_DIR: '"/tmp/my shop"' }, /^DATA_DIR is in quotes/],
    ['a query in a URL', { PSP_URL_STRIPE: 'http://127.0.0.1:9/a?b=1' }, /^PSP_URL_STRIPE must end with its path/],
    ['a port without room for three more', { PORT: '65533' }, /PORT must be a whole number from 1 to 65532/],
    ['an unknown store', { STORE: 'mongo' }, /STORE must be sqlite or dynamodb/],
    ['an unknown stage', { STAGE: 'prod' }, /STAGE must be sandbox or live/],
    ['an invalid limit', { RATE_LIMITS: 'no' }, /RATE_LIMITS must be on or off/],
    ['an invalid URL', { PSP_URL_STRIPE: 'localhost:9' }, /PSP_URL_STRIPE must be an absolute http or https address/],
    ['impossible versions', { HASH_VERSIONS: '1;2' }, /^HASH_VERSIONS: "1;2": Earlier versions must be lower than 1\./],
    [
      'a callback URL without a scheme',
      { CALLBACK_URL: 'tunnel.example.com' },
      /CALLBACK_URL must be an absolute http/,
    ],
    ['two errors at once', { PORT: '0', STAGE: '' }, /PORT[\s\S]*STAGE/],
  ])('is rejected with %s', (_, variables, message) => {
    expect(() => localEnv(variables)).toThrow(message);
  });
});
