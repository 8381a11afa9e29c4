import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import { CAPACITY, type Capacity } from '#lib/aws/stages.ts';
import { alarmsContract } from '#test/cdk/stack/alarms.contract.ts';
import { savedQueriesContract, smallDashboardContract } from '#test/cdk/stack/dashboard.contract.ts';
import { dataContract } from '#test/cdk/stack/data.contract.ts';
import { documentsContract } from '#test/cdk/stack/documents.contract.ts';
import { functionsContract } from '#test/cdk/stack/functions.contract.ts';
import { keysContract } from '#test/cdk/stack/keys.contract.ts';
import { permissionsContract } from '#test/cdk/stack/permissions.contract.ts';
import { queuesContract } from '#test/cdk/stack/queues.contract.ts';
import { rollOutContract } from '#test/cdk/stack/roll-out.contract.ts';
import { routesContract } from '#test/cdk/stack/routes.contract.ts';
import { LIVE_STATE_IDS, STATE_IDS } from '#test/cdk/stack/state-ids.support.ts';
import { tableRightsContract } from '#test/cdk/stack/table-rights.contract.ts';
import {
  type Assembly,
  type Properties,
  type SynthesizedStack,
  synthesize,
  textOf,
} from '#test/cdk/synthesized.support.ts';

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesize();
}, 180_000);
afterAll(() => assembly?.remove());

describe.each(['sandbox', 'live'] as const)('the %s stack', (stage) => {
  const stack = () => assembly.stages[stage];
  routesContract(stack);
  functionsContract(stack);
  permissionsContract(stack);
  tableRightsContract(stack);
  keysContract(stack);
  queuesContract(stack);
  dataContract(stack);
  alarmsContract(stack);
  smallDashboardContract(stack);
  savedQueriesContract(stack);
  rollOutContract(stack);
  documentsContract(stack);
});

/** The resources that must exist before this one. CloudFormation finds a cycle only when it deploys. */
const needs = (resource: object): string[] =>
  [...JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"|"DependsOn":\[([^\]]+)\]/g)].flatMap(
    ([, id, list]) => id ?? JSON.parse(`[${list}]`),
  );

/** A resource that keeps something which nobody could make again. Everything else is made by the next deployment. */
const HOLDS_DATA = [
  'AWS::Backup::BackupVault',
  'AWS::DynamoDB::GlobalTable',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::SQS::Queue',
];

/** What CloudFormation does with a resource when it is deleted, and when another takes its place. */
const policiesOf = ({
  DeletionPolicy = 'Delete',
  UpdateReplacePolicy = 'Delete',
}: SynthesizedStack['resources'][string]) => `${DeletionPolicy}, ${UpdateReplacePolicy}`;

const STACKS = (['sandbox', 'live'] as const).flatMap((stage) => [
  {
    name: resourceNames(STACK_NAMES[stage]).stateStack,
    keeps: stage === 'live',
    of: () => assembly.stages[stage].state,
  },
  { name: STACK_NAMES[stage], keeps: false, of: (): SynthesizedStack => assembly.stages[stage] },
]);

describe.each(STACKS)('of $name', ({ name, keeps, of }) => {
  it('nothing stays when it is deleted or could not be created, but for what holds data in the state of live', () => {
    for (const [id, resource] of Object.entries(of().resources)) {
      const expected = keeps && HOLDS_DATA.includes(resource.Type) ? 'RetainExceptOnCreate, Retain' : 'Delete, Delete';
      expect([id, resource.Type, policiesOf(resource)]).toEqual([id, resource.Type, expected]);
    }
  });

  it('nothing makes further things by itself that no deletion of the stack would find', () => {
    const types = Object.values(of().resources).map(({ Type }) => Type);
    // Custom resources bring functions whose logs stay. The others leave snapshots, or cannot be deleted when in use.
    expect(types.filter((type) => /^Custom::|CustomResource|^AWS::(S3|RDS|ECR|Redshift|Neptune)::/.test(type))).toEqual(
      [],
    );
  });

  it('every resource can be made before those that need it', () => {
    const waiting = new Map(Object.entries(of().resources).map(([id, resource]) => [id, needs(resource)]));
    for (let before = Infinity; waiting.size < before; ) {
      before = waiting.size;
      for (const [id, ids] of waiting) if (!ids.some((other) => waiting.has(other))) waiting.delete(id);
    }
    expect([...waiting.keys()]).toEqual([]);
  });

  it('each fixed name contains the name of the service stack first', () => {
    const { service = '' } = /^(?<service>\w+?)(State)?$/.exec(name)?.groups ?? {};
    const given = Object.values(of().resources).flatMap(({ Type, Properties = {} }) =>
      Object.entries<Properties>(Properties).filter(
        ([property, value]) =>
          /^(?!Metric|Policy|Stage)\w*Name$/.test(property) &&
          !value.Ref &&
          !value['Fn::Select'] &&
          ![...NAMED_IN_THEIR_OWNER].includes(Type),
      ),
    );
    const names = given.map(([, value]) => textOf(value)).filter((text) => !/^<\w+>/.test(text));
    expect(names.filter((text) => !new RegExp(`^(alias/|/|/aws/vendedlogs/)?${service}(?=[-/]|$)`).test(text))).toEqual(
      [],
    );
  });

  it('has fewer resources than CloudFormation allows', () =>
    expect(Object.keys(of().resources).length).toBeLessThan(500));

  it(`is ${name.startsWith(STACK_NAMES.live) ? '' : 'not '}protected from deletion`, async () => {
    const { artifacts } = JSON.parse(await assembly.read('manifest.json'));
    expect(artifacts[name].properties.terminationProtection ?? false).toBe(name.startsWith(STACK_NAMES.live));
  });
});

/** Their names need not be unique in an account. */
const NAMED_IN_THEIR_OWNER = ['AWS::Lambda::Alias', 'AWS::CodeDeploy::DeploymentGroup'];

describe.each(['sandbox', 'live'] as const)('the state of %s', (stage) => {
  it('has these logical ids: another one would replace the table, a key, a log or a queue, and what it holds', () => {
    const { resources } = assembly.stages[stage].state;
    const ids = Object.entries(resources).flatMap(([id, { Type }]) => (HOLDS_DATA.includes(Type) ? [id] : []));
    const own = stage === 'live' ? [...STATE_IDS, ...LIVE_STATE_IDS] : STATE_IDS;
    expect(ids.sort()).toEqual([...own].sort());
  });

  it('writes each parameter that the service reads, and has the table that it names', () => {
    const { template, state, text } = assembly.stages[stage];
    const read = Object.values<{ Default: string }>(template.toJSON().Parameters).map(({ Default }) => Default);
    const written = Object.values(state.of('AWS::SSM::Parameter')).map(({ Properties: p }) => p.Name);
    expect(read.filter((path) => !path.startsWith('/cdk-bootstrap/')).sort()).toEqual(written.sort());
    const [table] = Object.values(state.of('AWS::DynamoDB::GlobalTable'));
    expect(text).toContain(`:table/${table?.Properties.TableName}"`);
  });

  it('makes the table when all else is there, as nothing can delete the table of live if a first deployment fails', () => {
    const { resources } = assembly.stages[stage].state;
    const [[id, table] = ['', undefined]] = Object.entries(resources).filter(([, { Type }]) =>
      /GlobalTable/.test(Type),
    );
    const later = Object.entries(resources).flatMap(([other, each]) => (needs(each).includes(id) ? [other] : []));
    expect(later.map((other) => resources[other]?.Type)).toEqual(['AWS::SSM::Parameter']);
    expect([...(table?.DependsOn ?? []), id, ...later].sort()).toEqual(Object.keys(resources).sort());
  });

  it('is deployed before the service, as the service finds it by name', async () => {
    const { artifacts } = JSON.parse(await assembly.read('manifest.json'));
    const { name, state } = assembly.stages[stage];
    expect(artifacts[name].dependencies).toContain(state.name);
    expect(artifacts[state.name].dependencies).not.toContain(name);
  });

  it('names in the policies of its keys the roles that the service has', () => {
    const { state, of } = assembly.stages[stage];
    const roles = Object.values(of('AWS::IAM::Role')).map(({ Properties: p }) => textOf(p.RoleName ?? ''));
    const named = JSON.stringify(Object.values(state.of('AWS::KMS::Key')).map(({ Properties: p }) => p.KeyPolicy));
    const wanted = [...named.matchAll(/:role\/(\w+-)",\{"Ref":"AWS::Region"\},"(-[\w-]+)"/g)];
    expect(wanted.length).toBeGreaterThan(0);
    for (const [, stack, fn] of wanted) expect(roles).toContain(`${stack}<AWS::Region>${fn}`);
  });
});

describe('the stacks of both stages', () => {
  it('have the same resources, but for the roll-out and the backups of live', () => {
    const { sandbox, live } = assembly.stages;
    const kinds = ({ resources }: SynthesizedStack) =>
      Object.entries(resources).flatMap(([id, { Type }]) => (/^(RollOut|Backup|Alarmsbackup)/.test(id) ? [] : [Type]));
    expect(kinds(live).sort()).toEqual(kinds(sandbox).sort());
    expect(kinds(live.state).sort()).toEqual(kinds(sandbox.state).sort());
  });

  it('share nothing, and do not refer to each other', () => {
    const { sandbox, live } = assembly.stages;
    const all = [live, live.state, sandbox, sandbox.state].map(({ text }) => text).join();
    expect(all).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|"Export"/);
    expect(live.text + live.state.text).not.toContain('ServiceSandbox');
    expect(sandbox.text + sandbox.state.text).not.toContain('ServiceLive');
  });

  it('tag their resources with service and stage', () => {
    for (const { stage, template, state } of Object.values(assembly.stages)) {
      const Tags = [
        { Key: 'service', Value: 'payfork' },
        { Key: 'stage', Value: stage },
      ];
      for (const type of ['AWS::Lambda::Function', 'AWS::SQS::Queue']) template.allResourcesProperties(type, { Tags });
      for (const type of ['AWS::KMS::Key', 'AWS::SQS::Queue', 'AWS::Logs::LogGroup'])
        state.template.allResourcesProperties(type, { Tags });
      const [table] = Object.values(state.of('AWS::DynamoDB::GlobalTable'));
      expect(table?.Properties.Replicas[0].Tags).toEqual(Tags);
    }
  });

  /**
   * How many functions an account may run at once, after its first increase. AWS requires that 100 stay unreserved.
   */
  const [QUOTA, UNRESERVED] = [1_000, 100];

  it('leave concurrency for the API beside what is reserved and what queues may use, both in one account', () => {
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((all, each) => all + each, 0);
    const uses = ({ reserved, queueConcurrency }: Capacity) => sum(reserved) + sum(queueConcurrency);
    expect([uses(CAPACITY.small), uses(CAPACITY.medium)]).toEqual([95, 805]);
    expect(uses(CAPACITY.small) + uses(CAPACITY.medium)).toBeLessThanOrEqual(QUOTA - UNRESERVED);
  });

  it('output their addresses, names and topics', () => {
    for (const { template } of Object.values(assembly.stages))
      for (const name of ['ApiUrl', 'CallbackUrl', 'TableName', 'HashKeyArn', 'PageTopicArn', 'LookTopicArn'])
        template.hasOutput(name, {});
  });
});

describe('the rules of cdk-nag', () => {
  /** A new exception is a new line here, and has its reason beside the construct. */
  type Report = { readonly pluginName: string; readonly violations: readonly { readonly description: string }[] };
  const EXCEPTIONS = [
    'AwsSolutions-IAM5[Resource::dynamodb::table/<name>/stream/*]',
    'AwsSolutions-IAM5[Resource::logs::log-group:/<name>/functions/<function>:*]',
    'AwsSolutions-SQS3',
    'PCI.DSS.321-CloudWatchLogGroupEncrypted',
    'PCI.DSS.321-IAMNoInlinePolicy',
    'PCI.DSS.321-LambdaFunctionPublicAccessProhibited',
    'PCI.DSS.321-LambdaInsideVPC',
    'PCI.DSS.321-SNSEncryptedKMS',
    'Serverless-LambdaAsyncFailureDestination',
    'Serverless-LambdaDLQ',
    'Serverless-LambdaEventSourceMappingDestination',
    'Serverless-LambdaTracing',
    'Serverless-SQSRedrivePolicy',
  ];
  /** Live changes versions by CodeDeploy, and has backups, whose failures are events. */
  const OF_LIVE = [
    'Serverless-EventBusDLQ',
    'AwsSolutions-IAM5[Resource::dynamodb::table/<name>/backup/*]',
    'AwsSolutions-IAM5[Resource::*]',
    'AwsSolutions-IAM5[Resource::lambda::function:<name>-<function>:*]',
  ];

  it('report no violation, and warnings alone that a stage without a sender sends no mail, and one without subscribers rings nobody', async () => {
    const ours = /sends no mail|Nobody is notified/;
    const reports: readonly Report[] = JSON.parse(await assembly.read('validation-report.json')).pluginReports;
    const found = reports.flatMap(({ pluginName, violations }) => violations.map((each) => ({ pluginName, ...each })));
    expect(found.map(({ pluginName }) => pluginName)).toEqual(found.map(() => 'Construct Annotations'));
    expect(found.map(({ description }) => description)).toEqual(found.map(() => expect.stringMatching(ours)));
    const others = assembly.output.split('\n').filter((line) => !ours.test(line));
    expect(others.join('\n')).not.toMatch(/error|warning/i);
  });

  /** Without the name of the stage and of the function. */
  const general = (rule: string) =>
    rule
      .replace(/^\w+::/, '')
      .replace(/arn:<AWS::Partition>:(\w+):<AWS::Region>:<AWS::AccountId>/, '$1:')
      .replace(/Service(Live|Sandbox)(-table)?/, '<name>')
      .replace(/(functions\/|function:<name>-)[\w-]+/, '$1<function>');

  it.each(['sandbox', 'live'] as const)(
    'have only the listed exceptions in %s, each with a written reason',
    async (stage) => {
      const { name, state } = assembly.stages[stage];
      const files = [name, state.name].map((each) => assembly.read(`${each}.metadata.json`));
      const entries = (await Promise.all(files)).flatMap((text) =>
        Object.values<{ type: string; data: object }[]>(JSON.parse(text)).flat(),
      );
      const reasons = entries
        .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
        .flatMap(({ data }) => Object.entries<string>({ ...data }));
      expect([...new Set(reasons.map(([rule]) => general(rule)))].sort()).toEqual(
        [...EXCEPTIONS, ...(stage === 'live' ? OF_LIVE : [])].sort(),
      );
      expect(reasons.filter(([, reason]) => reason.length < 60)).toEqual([]);
    },
  );
});
