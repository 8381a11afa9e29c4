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
  INTEGRATION_KEY_ARN: `${KEY}2`,
  SIGNING_KEY_ARN: `${KEY}3`,
  ANSWER_KEY_ARN: `${KEY}4`,
  TOTP_KEY_ARN: `${KEY}5`,
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
      apiUrl: 'https://api.example.com',
      otherStageUrl: 'https://sandbox.example.com',
      origins: [],
      dashboardUrl: undefined,
      passkeyDomain: 'api.example.com',
      mailFrom: undefined,
      tableName: 'service',
      busName: 'events',
      keys: { psp: `${KEY}1`, integration: `${KEY}2`, signing: `${KEY}3`, answer: `${KEY}4`, totp: `${KEY}5` },
      macKeys: {},
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
    expect(awsEnv({ ...GIVEN, ...macs }).macKeys).toEqual({ hashSecret: `${KEY}6`, tokenSecret: `${KEY}7` });
    expect(() => awsEnv({ ...GIVEN, RECOVERY_KEY_ARN: 'alias/recovery' })).toThrow('RECOVERY_KEY_ARN must be the ARN');
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

  it('is rejected with all missing names', () => {
    expect(() => awsEnv({})).toThrow(new RegExp(Object.keys(GIVEN).join('[\\s\\S]*')));
  });

  it.each([
    ['an unknown stage', { STAGE: 'prod' }, 'STAGE must be sandbox or live.'],
    ['an invalid key', { PSP_KEY_ARN: 'alias/psp' }, 'PSP_KEY_ARN must be the ARN of a KMS key.'],
    ['an invalid queue', { QUEUE_URL_TIMERS: 'timers' }, 'QUEUE_URL_TIMERS must be the address of a queue.'],
    ['an origin with a path', { ORIGINS: 'https://one.example.com/' }, 'ORIGINS must be origins'],
    ['an origin that is not secure', { ORIGINS: 'http://one.example.com' }, 'ORIGINS must be origins'],
    ['no table', { TABLE_NAME: '' }, 'TABLE_NAME must name the table.'],
  ])('is rejected with %s', (_, change, message) => {
    expect(() => awsEnv({ ...GIVEN, ...change })).toThrow(message);
  });
});
