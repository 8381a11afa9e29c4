import { describe, expect, it } from 'vitest';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { assertOwnNames, closedBefore } from '#lib/aws/regions.ts';
import { ServiceStack } from '#lib/aws/service.stack.ts';
import { serviceApp } from '#lib/aws/service-app.ts';
import { CDK_CONTEXT, deployed, deployedState } from '#test/cdk/deployed.support.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { type Properties, type SynthesizedStack, textOf } from '#test/cdk/synthesized.support.ts';

const [FIRST, SECOND] = ['eu-central-1', 'eu-west-1'] as const;
const ACCOUNT = '111122223333';
const KEYS = ['psp', 'secrets', 'hashSecret', 'tokenSecret', 'recoverySecret'] as const;
const [TAKEN_OVER, BACK] = ['2027-03-01T10:00:00Z', '2027-03-04T12:00:00Z'];
const keyOf = (n: number): string => `mrk-${String(n).repeat(32)}`;

const first = {
  name: 'ServiceLive',
  stage: 'live',
  env: { account: ACCOUNT, region: FIRST },
  tableOptions: { replicas: [{ region: SECOND }] },
  operators: [`arn:aws:iam::${ACCOUNT}:role/on-duty`],
} as const satisfies PayforkSettings;
const { tableOptions: _, ...common } = first;
const standby = {
  of: FIRST,
  streamArn: `arn:aws:dynamodb:${SECOND}:${ACCOUNT}:table/ServiceLive-table/stream/2027-01-01T00:00:00.000`,
  keys: { psp: keyOf(0), secrets: keyOf(1), hashSecret: keyOf(2), tokenSecret: keyOf(3), recoverySecret: keyOf(4) },
};
const second = { ...common, env: { account: ACCOUNT, region: SECOND }, standby } satisfies PayforkSettings;

const [state, stateOfFirst] = [deployedState(second), deployedState(first)];
const closed = deployed(second);
const open = deployed({ ...second, service: 'open', takenOverAt: TAKEN_OVER });

const all = (stack: SynthesizedStack, type: string): readonly Properties[] =>
  Object.values(stack.of(type)).map(({ Properties: p }) => p);
/** The names in a stack of what has a fixed one. */
const named = (stack: SynthesizedStack, type: string, field: string) =>
  all(stack, type)
    .map((p) => p[field])
    .sort();

describe('the state of a second region', () => {
  it('has no table of its own, and names the stream of the replica', () => {
    expect(state.of('AWS::DynamoDB::GlobalTable')).toEqual({});
    expect(all(state, 'AWS::SSM::Parameter')).toContainEqual(
      expect.objectContaining({ Name: '/ServiceLive/table/stream', Value: standby.streamArn }),
    );
  });

  it('has a replica of each key of the first region, for the roles of its own region', () => {
    const replicas = state.of('AWS::KMS::ReplicaKey');
    const made = Object.values(replicas).map(({ Properties: p }) => textOf(p.PrimaryKeyArn));
    expect(made.sort()).toEqual(KEYS.map((name) => `arn:aws:kms:${FIRST}:${ACCOUNT}:key/${standby.keys[name]}`).sort());
    const policies = (stack: SynthesizedStack, type: string) =>
      all(stack, type)
        .map((p) => JSON.stringify(p.KeyPolicy))
        .sort();
    const regional = policies(stateOfFirst, 'AWS::KMS::Key').map((text) => text.replaceAll(FIRST, SECOND));
    expect(policies(state, 'AWS::KMS::ReplicaKey')).toEqual(regional);
    for (const { DeletionPolicy } of Object.values(replicas)) expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it.each([
    ['AWS::KMS::Alias', 'AliasName'],
    ['AWS::SSM::Parameter', 'Name'],
    ['AWS::Logs::LogGroup', 'LogGroupName'],
    ['AWS::SQS::Queue', 'QueueName'],
  ])('has each %s of the first region under the same name', (type, field) => {
    expect(named(state, type, field).length).toBeGreaterThan(0);
    expect(named(state, type, field)).toEqual(named(stateOfFirst, type, field));
  });

  it('makes no copies of the table, as the first region does', () => {
    expect([
      state.of('AWS::Backup::BackupVault'),
      Object.keys(stateOfFirst.of('AWS::Backup::BackupVault')).length,
    ]).toEqual([{}, 1]);
  });
});

describe('the service of either region', () => {
  it('tells if the replica in the other one is more than a minute behind, as that would be lost', () => {
    const late = (stack: SynthesizedStack) =>
      all(stack, 'AWS::CloudWatch::Alarm').filter((p) => p.MetricName === 'ReplicationLatency');
    const to = (region: string) => [
      {
        Threshold: 60_000,
        TreatMissingData: 'notBreaching',
        Dimensions: [
          { Name: 'ReceivingRegion', Value: region },
          { Name: 'TableName', Value: 'ServiceLive-table' },
        ],
      },
    ];
    expect(late(deployed(first))).toMatchObject(to(SECOND));
    // Once the second region has taken over, it is the first one whose replica may be behind.
    expect(late(open)).toMatchObject(to(FIRST));
  });
});

describe('a closed service', () => {
  it('is refused every invocation, and reads no queue and no stream, and runs no schedule', () => {
    for (const p of all(closed, 'AWS::Lambda::Function')) expect(p.ReservedConcurrentExecutions).toBe(0);
    const mappings = all(closed, 'AWS::Lambda::EventSourceMapping');
    expect(mappings.length).toBeGreaterThan(6);
    for (const p of mappings) expect(p.Enabled).toBe(false);
    const schedules = all(closed, 'AWS::Scheduler::Schedule');
    expect(schedules.length).toBeGreaterThan(1);
    for (const p of schedules) expect(p.State).toBe('DISABLED');
  });

  it('notifies nobody, and is in no state of alarm that would stop a roll-out', () => {
    for (const p of all(closed, 'AWS::CloudWatch::Alarm'))
      expect([p.ActionsEnabled, p.TreatMissingData]).toEqual([false, 'notBreaching']);
  });

  it('is opened by changes of settings alone: nothing is made, and no function gets another version but the consumers of the stream', () => {
    const versions = (stack: SynthesizedStack) => Object.keys(stack.of('AWS::Lambda::Version')).sort();
    const changed = versions(open).filter((id) => !versions(closed).includes(id));
    expect(changed.map((id) => /^Functions(relay|projector)/.exec(id)?.[1]).sort()).toEqual(['projector', 'relay']);
    const others = (stack: SynthesizedStack) =>
      Object.keys(stack.resources).filter((id) => !versions(open).includes(id) && !versions(closed).includes(id));
    expect(others(open).sort()).toEqual(others(closed).sort());
  });
});

describe('a service that took over', () => {
  it('reads its queues and its stream, runs its schedules, and notifies', () => {
    for (const p of all(open, 'AWS::Lambda::EventSourceMapping')) expect(p.Enabled).toBe(true);
    for (const p of all(open, 'AWS::Scheduler::Schedule')) expect(p.State).toBeUndefined();
    for (const p of all(open, 'AWS::CloudWatch::Alarm')) expect(p.ActionsEnabled).toBeUndefined();
    expect(all(open, 'AWS::Lambda::Function').filter((p) => p.ReservedConcurrentExecutions === 0)).toEqual([]);
  });

  it('tells the consumers of the stream, and nobody else, since when changes are theirs', () => {
    const told = Object.entries(open.of('AWS::Lambda::Function')).flatMap(([id, { Properties: p }]) =>
      p.Environment?.Variables.CHANGES_SINCE === undefined ? [] : [functionNames(open).get(id)],
    );
    expect(told.sort()).toEqual(['projector', 'relay']);
  });
});

describe('a deployment in two regions', () => {
  it.each<readonly [string, readonly PayforkSettings[]]>([
    ['the second closed', [first, second]],
    [
      'the first closed and the second open',
      [
        { ...first, service: 'closed' },
        { ...second, service: 'open', takenOverAt: TAKEN_OVER },
      ],
    ],
    [
      'the first open again',
      [
        { ...first, takenOverAt: BACK },
        { ...second, takenOverAt: TAKEN_OVER },
      ],
    ],
    ['both closed, in between', [{ ...first, service: 'closed' }, second]],
  ])('may have %s', (_, lines) => expect(() => assertOwnNames(lines)).not.toThrow());

  it.each<readonly [string, string, readonly PayforkSettings[]]>([
    ['are both open', 'both regions are open', [first, { ...second, service: 'open' }]],
    ['lack the first one', `no line deploys ServiceLive in ${FIRST}`, [second]],
    ['have a table without a replica', 'tableOptions.replicas for eu-west-1', [{ ...first, tableOptions: {} }, second]],
    [
      'are in two accounts',
      'env.account must be the same',
      [first, { ...second, env: { account: '999988887777', region: SECOND } }],
    ],
    ['are of two stages', 'stage must be the same', [first, { ...second, stage: 'sandbox' }]],
    [
      'have other hashes',
      'hashVersions must be the same',
      [first, { ...second, hashVersions: { hashSecret: { current: 2 } } }],
    ],
    [
      'are three',
      'more than two lines',
      [first, second, { ...second, env: { account: ACCOUNT, region: 'eu-west-2' } }],
    ],
    [
      'do not say when the second one took over',
      `the line of ${SECOND} is open and lacks takenOverAt`,
      [
        { ...first, service: 'closed' },
        { ...second, service: 'open' },
      ],
    ],
    [
      'do not say when the first one took over again',
      `the line of ${FIRST} is open and lacks takenOverAt`,
      [first, { ...second, takenOverAt: TAKEN_OVER }],
    ],
    [
      'say a time before the last change',
      `takenOverAt of ${FIRST}, which is open, must be later than that of ${SECOND}`,
      [
        { ...first, takenOverAt: TAKEN_OVER },
        { ...second, takenOverAt: BACK },
      ],
    ],
    ['have one name without being a pair', 'Two stacks are called ServiceLive', [first, { ...common }]],
  ])('is refused if its lines %s', (_, says, lines) => expect(() => assertOwnNames(lines)).toThrow(says));

  it('opens a region only after the other one was closed, if all stacks are deployed at once', () => {
    const [closedFirst, openSecond] = [
      { ...first, service: 'closed' },
      { ...second, service: 'open', takenOverAt: TAKEN_OVER },
    ] as const;
    const over = [closedFirst, openSecond];
    expect(over.map((line) => closedBefore(line, over))).toEqual([undefined, closedFirst]);
    const back = [
      { ...first, takenOverAt: BACK },
      { ...second, takenOverAt: TAKEN_OVER },
    ];
    expect(back.map((line) => closedBefore(line, back))).toEqual([back[1], undefined]);
    // A release needs no other region while nothing is changed over.
    expect([first, second].map((line) => closedBefore(line, [first, second]))).toEqual([undefined, undefined]);
    const app = serviceApp(over, { context: { ...CDK_CONTEXT, 'aws:cdk:bundling-stacks': [] } });
    const stacks = app.node.children.filter((child) => child instanceof ServiceStack);
    const before = stacks.map((stack) => stack.dependencies.map(({ artifactId }) => artifactId));
    expect(before).toEqual([['ServiceLiveState'], [`ServiceLiveState-${SECOND}`, 'ServiceLive']]);
  });

  it.each<readonly [string, Partial<PayforkSettings>]>([
    ['env must name account and region', { env: undefined }],
    ['standby.of must be another region', { standby: { ...standby, of: SECOND } }],
    [
      'standby.streamArn must be the stream of ServiceLive-table in eu-west-1',
      { standby: { ...standby, streamArn: standby.streamArn.replace(SECOND, FIRST) } },
    ],
    [
      'standby.keys.psp must be the id of a multi-Region key',
      { standby: { ...standby, keys: { ...standby.keys, psp: '0a1b' } } },
    ],
    ['tableOptions belong to the line of the first region', { tableOptions: { throttledKeys: true } }],
    ['takenOverAt must be a time', { takenOverAt: 'yesterday' }],
  ])('is refused because %s', (says, change) => {
    expect(() => deployedState({ ...second, ...change } as PayforkSettings)).toThrow(says);
  });
});
