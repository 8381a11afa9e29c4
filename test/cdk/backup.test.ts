import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PayforkState } from '#lib/aws/constructs/payfork-state.construct.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { bareApp, deployed } from '#test/cdk/deployed.support.ts';
import { idOf, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

const PEOPLE = 'arn:aws:iam::111122223333:role/on-duty';

function stateOf(settings: Partial<PayforkSettings>): Template {
  const stack = new Stack(bareApp(), 'ServiceLiveState');
  new PayforkState(stack, 'Default', { name: 'ServiceLive', stage: 'live', ...settings });
  return Template.fromStack(stack);
}

const only = (template: Template, type: string) => {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};
const rulesOf = (template: Template) => only(template, 'AWS::Backup::BackupPlan').BackupPlan.BackupPlanRule;

/** Both stacks of a stage that makes backups, and of one that does not. */
let live: Synthesized;
let without: Synthesized;
beforeAll(() => {
  live = deployed({ operators: [PEOPLE] });
  without = deployed({ backup: 'off' });
}, 60_000);

describe('the backups of a stage', () => {
  it('are made each day for 35 days and each month for a year, of the table alone', () => {
    const template = stateOf({});
    expect(rulesOf(template).map((rule: { Lifecycle: object }) => rule.Lifecycle)).toEqual([
      { DeleteAfterDays: 35 },
      { DeleteAfterDays: 365 },
    ]);
    expect(JSON.stringify(only(template, 'AWS::Backup::BackupSelection'))).toContain(':table/ServiceLive-table"');
  });

  it('stay when the stack is deleted, and need no managed policy', () => {
    const template = stateOf({});
    expect(Object.values(template.findResources('AWS::Backup::BackupVault'))[0]?.DeletionPolicy).toBe(
      'RetainExceptOnCreate',
    );
    expect(JSON.stringify(template.findResources('AWS::IAM::Role'))).not.toContain('ManagedPolicyArns');
  });

  it('are of the restored table once the stage uses one', () => {
    const table = {
      name: 'ServiceLive-table-2',
      streamArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/ServiceLive-table-2/stream/2027-01-01T00:00:00.000',
    };
    const selection = only(stateOf({ table }), 'AWS::Backup::BackupSelection');
    expect(JSON.stringify(selection)).toContain(':table/ServiceLive-table-2"');
  });

  it('can be locked, kept for other times, and copied to a vault elsewhere', () => {
    const copyTo = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
    const template = stateOf({ backup: { dailyDays: 90, lock: 'compliance', copyTo } });
    expect(only(template, 'AWS::Backup::BackupVault').LockConfiguration).toEqual({
      MinRetentionDays: 7,
      ChangeableForDays: 3,
    });
    expect(rulesOf(template)[0]).toMatchObject({
      Lifecycle: { DeleteAfterDays: 90 },
      CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: { DeleteAfterDays: 90 } }],
    });
  });

  it('are copied elsewhere by a role that may take them from our vault and put them into that one', () => {
    const copyTo = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
    const resourcesOf = (settings: Partial<PayforkSettings>, action: string) =>
      Object.values(stateOf(settings).findResources('AWS::IAM::Policy'))
        .flatMap(({ Properties: p }) => p.PolicyDocument.Statement)
        .filter(({ Action }: { Action: string | string[] }) => [Action].flat().includes(action))
        .flatMap(({ Resource }) => Resource);
    const ours = { 'Fn::GetAtt': [expect.stringMatching('^BackupVault'), 'BackupVaultArn'] };
    const from = 'backup:CopyFromBackupVault';
    expect(resourcesOf({ backup: { copyTo } }, 'backup:CopyIntoBackupVault')).toEqual([ours, copyTo]);
    expect(JSON.stringify(resourcesOf({ backup: { copyTo } }, from))).toMatch(/:recovery-point:\*/);
    expect(resourcesOf({}, 'backup:CopyIntoBackupVault')).toEqual([ours]);
    expect(resourcesOf({}, from)).toEqual([]);
  });

  it('tell those who look after the stage if one was not made, where backups are made', () => {
    const rulesOn = (stage: Synthesized) =>
      Object.values(stage.of('AWS::Events::Rule'))
        .map(({ Properties: p }) => p)
        .filter(({ EventPattern }) => EventPattern.source.includes('aws.backup'));
    const [rule, ...others] = rulesOn(live);
    expect(others).toEqual([]);
    const { 'detail-type': kinds, detail } = rule.EventPattern;
    expect([kinds, detail.state]).toEqual([
      ['Backup Job State Change', 'Copy Job State Change'],
      ['ABORTED', 'EXPIRED', 'FAILED'],
    ]);
    expect(detail.resourceArn.map(textOf)).toEqual([expect.stringMatching(':table/ServiceLive-table$')]);
    expect(rule.Targets.map(({ Arn }: { Arn: object }) => idOf(Arn))).toEqual([expect.stringMatching('^Alarmslook')]);
    expect(rulesOn(without)).toEqual([]);
  });

  it.each([
    ['a stage that can be thrown away', { name: 'ServiceSandbox', stage: 'sandbox' }],
    ['a stage that wants none', { backup: 'off' }],
  ] as const)('are not made for %s', (_, settings) => {
    stateOf(settings).resourceCountIs('AWS::Backup::BackupVault', 0);
  });

  it.each([
    ['a copy that lives for a day', { backup: { dailyDays: 1 } }, 'from 7 to 3,650'],
    ['a vault that is no ARN', { backup: { copyTo: 'copies' } }, 'must be the ARN of a vault'],
    [
      'an operator that is a mail address',
      { operators: ['on-duty@example.com'] },
      'must be the ARN of a user or a role',
    ],
  ] as const)('and operators are refused for %s', (_, settings, message) => {
    expect(() => stateOf(settings)).toThrow(message);
  });
});

describe('the role of the ops commands', () => {
  const policies = (settings: Partial<PayforkSettings>) =>
    JSON.stringify(stateOf(settings).findResources('AWS::KMS::Key'));

  it('is named by the key of credentials only where a stage has operators', () => {
    expect(policies({})).not.toContain('-operator');
    expect(policies({ operators: [PEOPLE] }).match(/-operator/g)).toHaveLength(2);
  });

  it('stays when the service is destroyed, as records are recovered while there is none', () => {
    const ofOperator = (template: typeof live.state) =>
      Object.keys(template.of('AWS::IAM::Role')).filter((id) => id.startsWith('Operators'));
    expect([ofOperator(live), ofOperator(live.state)]).toEqual([[], [expect.stringMatching(/^OperatorsRole/)]]);
  });

  it('may take messages from the dead letters, and put them into the queues of the service, and into no other queue', () => {
    const granted = (action: string): readonly string[] =>
      Object.entries(live.state.of('AWS::IAM::Policy'))
        .filter(([id]) => id.startsWith('Operators'))
        .flatMap(([, { Properties: p }]) => p.PolicyDocument.Statement)
        .filter(({ Action }) => [Action].flat().includes(action))
        .flatMap(({ Resource }) => [Resource].flat().map((arn) => textOf(arn).split(':').at(-1) ?? ''));
    const dead = Object.values(live.state.of('AWS::SQS::Queue')).map(({ Properties: p }) => p.QueueName);
    for (const action of ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:StartMessageMoveTask'])
      expect([...granted(action)].sort()).toEqual(dead.sort());
    const patterns = granted('sqs:SendMessage').map(
      (pattern) => new RegExp(`^${pattern.replace('*', '[0-9A-F]{8}$')}`),
    );
    const queues = Object.keys(live.of('AWS::SQS::Queue')).map((id) => `ServiceLive-${id}`);
    expect(patterns.map((pattern) => queues.filter((name) => pattern.test(name)).length)).toEqual(queues.map(() => 1));
  });

  it('may delete what the command rehash has moved, and nothing else', () => {
    const deleting = Object.entries(live.state.of('AWS::IAM::Policy'))
      .filter(([id]) => id.startsWith('Operators'))
      .flatMap(([, { Properties: p }]) => p.PolicyDocument.Statement)
      .filter(({ Action }) => [Action].flat().includes('dynamodb:DeleteItem'));
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['MAIL#*', 'OWNER#*'] } };
    expect(deleting).toMatchObject([{ Action: 'dynamodb:DeleteItem', Condition: condition }]);
    expect(JSON.stringify(deleting[0].Resource)).toMatch(/:table\/ServiceLive-table"/);
  });
});
