import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPACITY, type Capacity, STAGES } from '#lib/aws/stages.ts';
import { alarmsContract } from '#test/cdk/stack/alarms.contract.ts';
import { smallDashboardContract } from '#test/cdk/stack/dashboard.contract.ts';
import { dataContract } from '#test/cdk/stack/data.contract.ts';
import { documentsContract } from '#test/cdk/stack/documents.contract.ts';
import { functionsContract } from '#test/cdk/stack/functions.contract.ts';
import { permissionsContract } from '#test/cdk/stack/permissions.contract.ts';
import { queuesContract } from '#test/cdk/stack/queues.contract.ts';
import { routesContract } from '#test/cdk/stack/routes.contract.ts';
import { type Assembly, type Synthesized, synthesize } from '#test/cdk/synthesized.support.ts';

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
  queuesContract(stack);
  dataContract(stack);
  alarmsContract(stack);
  smallDashboardContract(stack);
  documentsContract(stack);
});

/** What happens to the table, the keys and the logs when their stack is deleted. */
const kept = (stack: Synthesized) =>
  ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::Logs::LogGroup'].flatMap((type) =>
    Object.values(stack.of(type)).map(({ DeletionPolicy }) => DeletionPolicy),
  );

/** The resources that must exist before this one. CloudFormation finds a cycle only when it deploys. */
const needs = (resource: object): string[] =>
  [...JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"|"DependsOn":\[([^\]]+)\]/g)].flatMap(
    ([, id, list]) => id ?? JSON.parse(`[${list}]`),
  );

describe('live', () => {
  it('retains its table, keys and logs, and protects the table from deletion', () => {
    expect(new Set(kept(assembly.stages.live))).toEqual(new Set(['Retain']));
    assembly.stages.live.template.allResourcesProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: true });
  });

  it('is protected from deletion', async () => {
    const { artifacts } = JSON.parse(await assembly.read('manifest.json'));
    expect(artifacts.ServiceLive.properties.terminationProtection).toBe(true);
  });
});

describe('the sandbox', () => {
  it('deletes everything with the stack', () =>
    expect(new Set(kept(assembly.stages.sandbox))).toEqual(new Set(['Delete'])));
});

describe('the two stacks', () => {
  it('have the same resources', () => {
    const kinds = ({ text }: Synthesized) =>
      Object.values<{ Type: string }>(JSON.parse(text).Resources).map(({ Type }) => Type);
    expect(kinds(assembly.stages.live).sort()).toEqual(kinds(assembly.stages.sandbox).sort());
  });

  it.each(['sandbox', 'live'] as const)('have no cycle among their resources: %s', (stage) => {
    const waiting = new Map(
      Object.entries<object>(JSON.parse(assembly.stages[stage].text).Resources).map(([id, resource]) => [
        id,
        needs(resource),
      ]),
    );
    for (let before = Infinity; waiting.size < before; ) {
      before = waiting.size;
      for (const [id, ids] of waiting) if (!ids.some((other) => waiting.has(other))) waiting.delete(id);
    }
    expect([...waiting.keys()]).toEqual([]);
  });

  it('share nothing, and do not refer to each other', () => {
    const { sandbox, live } = assembly.stages;
    expect(live.text + sandbox.text).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|"Export"/);
    expect(live.text).not.toContain('ServiceSandbox');
    expect(sandbox.text).not.toContain('ServiceLive');
  });

  it.each(['sandbox', 'live'] as const)('begin each fixed name with the name of the stack: %s', (stage) => {
    const given = Object.values<{ Properties?: object }>(JSON.parse(assembly.stages[stage].text).Resources).flatMap(
      ({ Properties = {} }) =>
        Object.entries(Properties).filter(
          ([property, name]) => /^(?!Metric|Policy|Stage)\w*Name$/.test(property) && typeof name === 'string',
        ),
    );
    expect(given.filter(([, name]) => !name.startsWith(STAGES[stage].stackName))).toEqual([]);
  });

  it('tag their resources with service and stage', () => {
    for (const { stage, template } of Object.values(assembly.stages)) {
      const Tags = [
        { Key: 'service', Value: 'payfork' },
        { Key: 'stage', Value: stage },
      ];
      for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::KMS::Key', 'AWS::SQS::Queue'])
        template.allResourcesProperties(type, { Tags });
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
    'AwsSolutions-APIG4',
    'AwsSolutions-IAM5[Resource::<Table710B521B.Arn>/stream/*]',
    'AwsSolutions-SQS3',
  ];

  it('report no violation, and a warning alone that a stage without a sender sends no mail', async () => {
    const reports: readonly Report[] = JSON.parse(await assembly.read('validation-report.json')).pluginReports;
    const found = reports.flatMap(({ pluginName, violations }) => violations.map((each) => ({ pluginName, ...each })));
    expect(found.map(({ pluginName }) => pluginName)).toEqual(found.map(() => 'Construct Annotations'));
    expect(found.map(({ description }) => description)).toEqual(
      found.map(() => expect.stringMatching('sends no mail')),
    );
    const others = assembly.output.split('\n').filter((line) => !line.includes('sends no mail'));
    expect(others.join('\n')).not.toMatch(/error|warning/i);
  });

  it.each(['ServiceSandbox', 'ServiceLive'])(
    'have only the listed exceptions in %s, each with a written reason',
    async (name) => {
      const entries = Object.values<{ type: string; data: object }[]>(
        JSON.parse(await assembly.read(`${name}.metadata.json`)),
      ).flat();
      const reasons = entries
        .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
        .flatMap(({ data }) => Object.entries<string>({ ...data }));
      expect([...new Set(reasons.map(([rule]) => rule.replace(/^\w+::/, '')))].sort()).toEqual(EXCEPTIONS);
      expect(reasons.filter(([, reason]) => reason.length < 60)).toEqual([]);
    },
  );
});
