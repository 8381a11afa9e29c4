import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PayforkSettings, SETTING_NAMES } from '#lib/aws/payfork-settings.ts';
import { serviceApp } from '#lib/aws/service-app.ts';
import { CDK_CONTEXT } from '#test/cdk/deployed.support.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Each rule that a setting breaks stops every command of CDK, so that whoever needs the setting could not deploy. */
const ACCOUNT = '111122223333';
const MANY = {
  stage: 'live',
  capacity: 'medium',
  mail: { from: 'payments@example.com' },
  dashboard: { origins: ['https://dashboard.example.com'], passkeyDomain: 'example.com' },
  otherStageUrl: 'https://sandbox.example.com',
  callbackUrl: 'https://callbacks.example.com',
  probe: 'on',
  rollout: 'canary',
  traces: 'sampled',
  hashVersions: { hashSecret: { current: 2, previous: 1 } },
  operators: [`arn:aws:iam::${ACCOUNT}:role/on-duty`],
  backup: { lock: 'governance', copyTo: `arn:aws:backup:eu-west-1:${ACCOUNT}:backup-vault:copies` },
  alarms: {
    page: ['https://events.example.com/key', `arn:aws:sns:eu-central-1:${ACCOUNT}:on-call`],
    look: ['ops@example.com'],
    providers: ['stripe'],
    lambdaConcurrency: 2_000,
    monthlyBudgetUsd: 250,
  },
} as const satisfies Partial<PayforkSettings>;

const MRK = `mrk-${'0a'.repeat(16)}`;

/** Two stages, as a front and a domain exclude each other. One of them fits every account, and one has a second region. */
const STAGES: readonly PayforkSettings[] = [
  {
    ...MANY,
    name: 'WithFront',
    env: { account: ACCOUNT, region: 'eu-central-1' },
    front: {
      domain: 'api.example.com',
      certificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1`,
      webAclArn: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/WithFrontFirewall/1`,
      originSecret: {
        arn: `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:front-AbCdEf`,
        versionId: '11111111-2222-3333-4444-555555555555',
      },
    },
    tableOptions: {
      customerKey: true,
      throttledKeys: true,
      replicas: [{ region: 'eu-west-1', keyArn: `arn:aws:kms:eu-west-1:${ACCOUNT}:key/mrk-1` }],
    },
    // Open again, after the second region had taken over.
    takenOverAt: '2026-11-30T00:00:00Z',
  },
  {
    ...MANY,
    name: 'WithFront',
    env: { account: ACCOUNT, region: 'eu-west-1' },
    alarms: { page: ['https://events.example.com/key'], look: ['ops@example.com'] },
    standby: {
      of: 'eu-central-1',
      streamArn: `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/WithFront-table/stream/2026-11-29T00:00:00.000`,
      keys: { psp: MRK, secrets: MRK, hashSecret: MRK, tokenSecret: MRK, recoverySecret: MRK },
    },
    service: 'closed',
    takenOverAt: '2026-11-29T00:00:00Z',
  },
  {
    ...MANY,
    name: 'WithDomain',
    domain: { name: 'api.example.com', certificateArn: `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/1` },
    table: {
      name: 'restored',
      streamArn: `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/restored/stream/2026-11-29T00:00:00.000`,
    },
  },
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

describe('a deployment that uses every setting', () => {
  it('uses every setting', () => {
    expect([...new Set(STAGES.flatMap(Object.keys))].sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('breaks no rule of the checks that is not accepted with a reason', () => {
    const outdir = folder.path('out');
    // Nothing is bundled: the rules look at templates.
    serviceApp(STAGES, { outdir, context: { ...CDK_CONTEXT, 'aws:cdk:bundling-stacks': [] } }).synth();
    const { pluginReports } = JSON.parse(readFileSync(`${outdir}/validation-report.json`, 'utf8'));
    expect(pluginReports.flatMap(({ violations }: { violations: readonly unknown[] }) => violations)).toEqual([]);
  }, 180_000);
});
