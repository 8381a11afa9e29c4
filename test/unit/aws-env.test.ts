import { describe, expect, it } from 'vitest';
import { awsEnv } from '#shared/env.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/0a';
const GIVEN = {
  STAGE: 'live',
  API_URL: 'https://api.example.com/',
  OTHER_STAGE_URL: 'https://sandbox.example.com',
  TABLE_NAME: 'service',
  BUS_NAME: 'events',
  PSP_KEY_ARN: `${KEY}1`,
  SECRETS_KEY_ARN: `${KEY}2`,
  QUEUE_URL_WEBHOOK_DELIVERY: 'https://sqs.eu-west-1.amazonaws.com/1/delivery',
  QUEUE_URL_SLOW_DELIVERIES: 'https://sqs.eu-west-1.amazonaws.com/1/slow-deliveries',
  QUEUE_URL_TIMERS: 'https://sqs.eu-west-1.amazonaws.com/1/timers',
  QUEUE_URL_RENEWALS: 'https://sqs.eu-west-1.amazonaws.com/1/renewals',
  QUEUE_URL_WORKFLOW_RUNS: 'https://sqs.eu-west-1.amazonaws.com/1/workflow-runs',
};

describe('the environment of a Lambda function', () => {
  it('is read completely', () => {
    expect(awsEnv(GIVEN)).toEqual({
      stage: 'live',
      metrics: undefined,
      originSecrets: [],
      takesDirectRequests: false,
      traces: 'off',
      version: 'unknown',
      apiUrl: 'https://api.example.com',
      otherStageUrl: 'https://sandbox.example.com',
      origins: [],
      dashboardUrl: undefined,
      passkeyDomain: 'api.example.com',
      mailFrom: undefined,
      tableName: 'service',
      busName: 'events',
      keys: { psp: `${KEY}1`, secrets: `${KEY}2` },
      macKeys: {},
      callbackUrl: undefined,
      queueUrls: {
        'webhook-delivery': GIVEN.QUEUE_URL_WEBHOOK_DELIVERY,
        'slow-deliveries': GIVEN.QUEUE_URL_SLOW_DELIVERIES,
        timers: GIVEN.QUEUE_URL_TIMERS,
        renewals: GIVEN.QUEUE_URL_RENEWALS,
        'workflow-runs': GIVEN.QUEUE_URL_WORKFLOW_RUNS,
      },
    });
  });

  it('names the keys of hashes that the function may use', () => {
    const macs = { HASH_KEY_ARN: `${KEY}6`, TOKEN_KEY_ARN: `${KEY}7` };
    expect(awsEnv({ ...GIVEN, ...macs }).macKeys).toEqual({
      hashSecret: { arn: `${KEY}6`, versions: { current: 1 } },
      tokenSecret: { arn: `${KEY}7`, versions: { current: 1 } },
    });
    expect(() => awsEnv({ ...GIVEN, RECOVERY_KEY_ARN: 'alias/recovery' })).toThrow('RECOVERY_KEY_ARN must be the ARN');
  });

  it('says which versions of a secret of hashes are in use, and where callbacks go', () => {
    const read = awsEnv({
      ...GIVEN,
      HASH_KEY_ARN: `${KEY}6`,
      HASH_VERSIONS: '3,2;1',
      CALLBACK_URL: 'https://callbacks.example.com/',
    });
    expect(read.macKeys.hashSecret?.versions).toEqual({ current: 3, previous: 2, former: [1] });
    expect(read.callbackUrl).toBe('https://callbacks.example.com');
  });

  it('contains the URL of the dashboard', () => {
    const people = {
      ORIGINS: 'https://one.example.com, https://two.example.com:8443',
      DASHBOARD_URL: 'https://one.example.com/home',
      PASSKEY_DOMAIN: 'example.com',
    };
    expect(awsEnv({ ...GIVEN, ...people })).toMatchObject({
      origins: ['https://one.example.com', 'https://two.example.com:8443'],
      dashboardUrl: 'https://one.example.com/home',
      passkeyDomain: 'example.com',
    });
  });

  it("contains the front's secrets, and whether requests past it are taken too", () => {
    const secrets = ['c'.repeat(64), 'p'.repeat(64)];
    expect(awsEnv({ ...GIVEN, ORIGIN_SECRETS: secrets.join(), DIRECT_REQUESTS: 'taken' })).toMatchObject({
      originSecrets: secrets,
      takesDirectRequests: true,
    });
  });

  it('is rejected with all missing names', () => {
    expect(() => awsEnv({})).toThrow(new RegExp(Object.keys(GIVEN).join('[\\s\\S]*')));
  });

  it.each([
    ['an unknown stage', { STAGE: 'prod' }, 'STAGE must be sandbox or live.'],
    ['an invalid key', { PSP_KEY_ARN: 'alias/psp' }, 'PSP_KEY_ARN must be the ARN of a KMS key.'],
    ['versions of a secret that cannot be', { HASH_VERSIONS: '2,2' }, 'HASH_VERSIONS must be versions of a secret'],
    ['an invalid queue', { QUEUE_URL_TIMERS: 'timers' }, 'QUEUE_URL_TIMERS must be the address of a queue.'],
    ['an origin with a path', { ORIGINS: 'https://one.example.com/' }, 'ORIGINS must be origins'],
    ['an origin that is not secure', { ORIGINS: 'http://one.example.com' }, 'ORIGINS must be origins'],
    [
      'a secret of the front that is short',
      { ORIGIN_SECRETS: `${'c'.repeat(64)},short` },
      'ORIGIN_SECRETS must be secrets',
    ],
    ['another word for direct requests', { DIRECT_REQUESTS: 'true' }, 'DIRECT_REQUESTS must be `taken`, or missing.'],
    ['no table', { TABLE_NAME: '' }, 'TABLE_NAME must name the table.'],
  ])('is rejected with %s', (_, change, message) => {
    expect(() => awsEnv({ ...GIVEN, ...change })).toThrow(message);
  });
});
