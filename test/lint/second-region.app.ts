import { serviceApp } from '#lib/aws/service-app.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';

/**
 * Live in two regions. CDK's own check of templates is left to `every-setting.test.ts`, which has such a region with
 * more settings.
 */
const name = STACK_NAMES.live;
const [account, first, second] = ['111122223333', 'eu-central-1', 'eu-west-1'] as const;
const key = `mrk-${'0a'.repeat(16)}`;
const common = { name, stage: 'live', operators: [`arn:aws:iam::${account}:role/on-duty`] } as const;

serviceApp(
  [
    { ...common, env: { account, region: first }, tableOptions: { replicas: [{ region: second }] } },
    {
      ...common,
      env: { account, region: second },
      standby: {
        of: first,
        streamArn: `arn:aws:dynamodb:${second}:${account}:table/${name}-table/stream/2027-01-01T00:00:00.000`,
        keys: { psp: key, secrets: key, hashSecret: key, tokenSecret: key, recoverySecret: key },
      },
    },
  ],
  { builtinCloudFormationValidation: false },
);
