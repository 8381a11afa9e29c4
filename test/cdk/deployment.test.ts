import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { Stack } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { Payfork } from '#lib/aws/constructs/payfork.construct.ts';
import { PayforkState } from '#lib/aws/constructs/payfork-state.construct.ts';
import { DEPLOYMENT } from '#lib/aws/deployment.ts';
import { FUNCTIONS, namesOf } from '#lib/aws/function-table.ts';
import { checkSettings, type PayforkSettings, SETTING_NAMES } from '#lib/aws/payfork-settings.ts';
import { serviceApp } from '#lib/aws/service-app.ts';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import { readAwsEnv } from '#shared/aws-env.ts';
import { appWithoutCode, deployed, deployedState } from '#test/cdk/deployed.support.ts';
import { resolved } from '#test/cdk/stack/functions.contract.ts';
import { listOf, type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/1';
const STREAM = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored/stream/2026-11-29T00:00:00.000';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/mrk-1';
const env = { account: '111122223333', region: 'eu-central-1' } as const;

/** What a caller writes who does not know the types. */
const settings = (given: object) => ({ name: 'ServiceLive', stage: 'live', ...given }) as PayforkSettings;

/** Every property of every resource that names something, as a text. */
const namesIn = (resources: Readonly<Record<string, { readonly Properties: Properties }>>): readonly string[] =>
  Object.values(resources).flatMap(({ Properties: p = {} }) =>
    Object.entries<Properties>(p).flatMap(([property, value]) =>
      /Name$/.test(property) && (typeof value === 'string' || value['Fn::Join']) ? [textOf(value)] : [],
    ),
  );

describe('the settings of a stage', () => {
  it('are those of two stages, each with its name, unless whoever deploys says more', () => {
    expect(DEPLOYMENT.map(({ name, stage }) => [name, stage])).toEqual(
      Object.entries(STACK_NAMES).map(([stage, name]) => [name, stage]),
    );
    for (const each of DEPLOYMENT) expect(() => checkSettings(each)).not.toThrow();
  });

  it.each([
    ['a setting that does not exist', { capcity: 'small' }, 'capcity is no setting.'],
    ['a field that does not exist', { mail: { form: 'a@b.example' } }, 'mail.form is no setting.'],
    ['a stage that does not exist', { stage: 'test' }, 'stage must be one of: sandbox, live.'],
    ['a capacity that does not exist', { capacity: 'huge' }, 'capacity must be one of: small, medium, large.'],
    ['a name that is too long', { name: 'S'.repeat(25) }, 'name must be up to 24 letters, digits and hyphens'],
    ['a name that parameters may not have', { name: 'awsPay' }, 'begin with a letter, and not with aws or ssm.'],
    ['a domain without its certificate', { domain: { name: 'api.example.com' } }, 'domain.certificateArn '],
    [
      'a certificate of another region',
      { env, domain: { name: 'api.example.com', certificateArn: CERTIFICATE.replace('central', 'west') } },
      'domain.certificateArn must be in the region of the stage, eu-central-1.',
    ],
    [
      'a topic of another region',
      { env, alarms: { page: ['https://events.example.com/key', 'arn:aws:sns:eu-west-1:111122223333:on-call'] } },
      'alarms.page.1 must be a topic in the region of the stage, eu-central-1.',
    ],
    ['a sender that is no address', { mail: { from: 'Payments' } }, 'mail.from must be an address'],
    ['an origin with a path', { dashboard: { origins: ['https://a.example/x'] } }, 'dashboard.origins.0 must be an'],
    ['an address without https', { otherStageUrl: 'sandbox.example.com' }, 'otherStageUrl must be an address'],
    ['an address without a name', { callbackUrl: 'https://' }, 'callbackUrl must be an address'],
    ['an address with a query', { dashboard: { url: 'https://a.example/?x=1' } }, 'dashboard.url must be an address'],
    [
      'the stream of another table',
      { table: { name: 'other', streamArn: STREAM } },
      'table.streamArn must be the stream of the table that name says.',
    ],
    ['an account that is none', { env: { ...env, account: '1' } }, 'env.account must be the 12 digits'],
    [
      'replicas without a region of the table',
      { tableOptions: { replicas: [{ region: 'eu-west-1' }] } },
      'env must name account and region, as the table has replicas.',
    ],
    [
      'a replica beside the table',
      { env, tableOptions: { replicas: [{ region: 'eu-central-1' }] } },
      'tableOptions.replicas.0.region is where the table itself is.',
    ],
    [
      'a replica without a key, if the key is ours',
      { env, tableOptions: { customerKey: true, replicas: [{ region: 'eu-west-1' }] } },
      'tableOptions.replicas.0.keyArn and tableOptions.customerKey go together.',
    ],
    [
      'the key of another region',
      { env, tableOptions: { customerKey: true, replicas: [{ region: 'eu-north-1', keyArn: KEY }] } },
      'tableOptions.replicas.0.keyArn must be in eu-north-1.',
    ],
  ])('cannot have %s, and the error says what to write', (_, given, message) => {
    expect(() => checkSettings(settings(given))).toThrow(message);
    expect(() => deployed(settings(given))).toThrow(message);
  });

  it('name all that is wrong at once', () =>
    expect(() => checkSettings(settings({ stage: 'x', capacity: 'y', env: { ...env, region: 'z' } }))).toThrow(
      /stage must.*\nenv\.region must.*\ncapacity must/,
    ));
});

describe('docs/aws.md', () => {
  const [, section = ''] = /^## Settings$(.+?)^## /ms.exec(readFileSync('docs/aws.md', 'utf8')) ?? [];
  const [, written = ''] = /```ts\nexport const DEPLOYMENT[^=]+= (.+?);\n```/s.exec(section) ?? [];
  const example: readonly PayforkSettings[] = runInNewContext(written);

  it('lists every setting', () => {
    const [names = ''] = /^\|.+^\|[^\n]+/ms.exec(section) ?? [];
    const listed = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const required = ['name', 'stage', 'env'];
    expect(listed).toEqual(expect.arrayContaining(SETTING_NAMES.filter((name) => !required.includes(name))));
    for (const name of required) expect(written).toContain(`${name}: `);
  });

  it('has an example whose functions can read what they are told', () => {
    expect(example).toHaveLength(2);
    for (const each of example) {
      const { of, stage } = deployed(each);
      for (const { Properties: p } of Object.values(of('AWS::Lambda::Function'))) {
        const told = Object.entries<Properties>(p.Environment.Variables);
        const variables = Object.fromEntries(told.map(([name, value]) => [name, resolved(value, name)]));
        expect(readAwsEnv(variables).stage).toBe(stage);
      }
    }
  }, 60_000);
});

describe('a further cell, or the stage of a branch', () => {
  let cell: Synthesized;
  beforeAll(() => {
    cell = deployed({ name: 'ServiceCell2', stage: 'live' });
  });

  it('is one line: all of its fixed names are its own', () => {
    const names = [...namesIn(cell.resources), ...namesIn(cell.state.resources)];
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => name.includes('ServiceLive'))).toEqual([]);
    expect([cell.text, cell.state.text].join()).not.toMatch(/Service(Live|Sandbox)\b/);
  });

  it('has the same logical ids as any other stage, and keeps its data as its stage does', () => {
    const branch = deployed({ name: 'ServiceBranch', stage: 'sandbox' });
    const withoutBackups = Object.keys(cell.state.resources).filter((logicalId) => !logicalId.startsWith('Backup'));
    expect(Object.keys(branch.state.resources)).toEqual(withoutBackups);
    expect(cell.state.text).toContain('RetainExceptOnCreate');
    expect(branch.state.text).not.toContain('Retain');
  });

  it('has names that AWS accepts, with the longest name of a stage, a region and a function', () => {
    const names = resourceNames('S'.repeat(24));
    for (const fn of namesOf(FUNCTIONS)) {
      expect(names.role(fn, 'ap-southeast-99').length).toBeLessThanOrEqual(64);
      expect(names.function(fn).length).toBeLessThanOrEqual(64);
    }
    expect(names.deadLetters('webhook-delivery').length).toBeLessThanOrEqual(80);
  });
});

describe('a deployment', () => {
  it.each([
    ['with the same name', 'ServiceLive', 'Two stacks are called ServiceLive. Give each'],
    ['with the name of another one’s state', 'ServiceLiveState', 'Two stacks are called ServiceLiveState. Give each'],
  ])('cannot have two stages %s', (_, name, message) =>
    expect(() => serviceApp([settings({}), settings({ name })])).toThrow(message),
  );
});

describe('a stage whose account and region are known', () => {
  it('has its exceptions for the resources that its template names, where others have placeholders', () => {
    const { text, stack, of } = deployed({ env });
    expect(text).toContain(':dynamodb:eu-central-1:111122223333:table/');
    const accepted = stack.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .flatMap(({ type, data }) => (type === 'aws:cdk:acknowledged-rules' ? Object.keys({ ...data }) : []));
    const resources = Object.values(of('AWS::IAM::Policy'))
      .flatMap(({ Properties: p }) => p.PolicyDocument.Statement)
      .flatMap(({ Resource }) => listOf(Resource).map(textOf))
      .filter((resource) => resource.includes('*'));
    expect(resources.length).toBeGreaterThan(20);
    for (const resource of new Set(resources))
      expect(accepted).toContainEqual(expect.stringContaining(`AwsSolutions-IAM5[Resource::${resource}]`));
  });
});

describe('the service', () => {
  it('takes a restored table by its name, for every function, right, reader of the stream and chart', () => {
    const { text, state, template } = deployed({ table: { name: 'restored', streamArn: STREAM } });
    expect(text).not.toContain(resourceNames('ServiceLive').table);
    expect(JSON.stringify(template.toJSON().Parameters)).not.toContain('/table/stream');
    expect(text.split(STREAM).length).toBeGreaterThan(2);
    // The table of the state stack stays where it is, for whoever wants to look into it.
    expect(state.text).toContain(`"TableName":"${resourceNames('ServiceLive').table}"`);
  });

  it('cannot be in one stack with its state, whose names it reads before they would be written', () => {
    const app = appWithoutCode();
    const stack = new Stack(app, 'Both');
    new PayforkState(stack, 'State', settings({}));
    new Payfork(stack, 'Service', settings({}));
    expect(() => app.synth()).toThrow('Payfork and PayforkState need a stack each');
  });

  it('can be one of several constructs in a stack that somebody else wrote', () => {
    const app = appWithoutCode();
    const [state, service] = [new Stack(app, 'Kept'), new Stack(app, 'Shop')];
    new PayforkState(state, 'Payments', settings({}));
    const { outputs } = new Payfork(service, 'Payments', settings({}));
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(['ApiUrl', 'CallbackUrl', 'TableName']));
    expect(() => app.synth()).not.toThrow();
  });
});

describe('the table', () => {
  const tableOf = (tableOptions: NonNullable<PayforkSettings['tableOptions']>) => {
    const { of } = deployedState({ env, tableOptions });
    const [table] = Object.values(of('AWS::DynamoDB::GlobalTable'));
    return { table: table?.Properties, of };
  };

  it('can have replicas in other regions, with all that the table itself has', () => {
    const { table } = tableOf({ replicas: [{ region: 'eu-west-1' }], throttledKeys: true });
    expect(table.Replicas.map(({ Region }: Properties) => Region).sort()).toEqual(['eu-central-1', 'eu-west-1']);
    for (const replica of table.Replicas)
      expect(replica).toMatchObject({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
  });

  it('can show the keys that were throttled, of itself and of each index', () => {
    const { table } = tableOf({ throttledKeys: true });
    const insights = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    const [here] = table.Replicas;
    expect(here.ContributorInsightsSpecification).toEqual(insights);
    expect(here.GlobalSecondaryIndexes.length).toBe(table.GlobalSecondaryIndexes.length);
    for (const index of here.GlobalSecondaryIndexes) expect(index.ContributorInsightsSpecification).toEqual(insights);
  });

  it('can be encrypted with a key of ours, which opens through DynamoDB alone', () => {
    const { table, of } = tableOf({ customerKey: true, replicas: [{ region: 'eu-west-1', keyArn: KEY }] });
    expect(table.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(table.Replicas.map(({ SSESpecification }: Properties) => textOf(SSESpecification.KMSMasterKeyId))).toEqual(
      expect.arrayContaining([KEY]),
    );
    const [key] = Object.entries(of('AWS::KMS::Key')).flatMap(([id, { Properties: p }]) =>
      id.startsWith('Table') ? [p] : [],
    );
    expect(key).toMatchObject({ EnableKeyRotation: true, PendingWindowInDays: 30 });
    const uses = key.KeyPolicy.Statement.filter(({ Action }: Properties) => Action.includes('kms:Decrypt'));
    expect(uses).toMatchObject([{ Condition: { StringEquals: { 'kms:CallerAccount': { Ref: 'AWS::AccountId' } } } }]);
    expect(textOf(uses[0].Condition.StringEquals['kms:ViaService'])).toMatch(/^dynamodb\.<AWS::Region>\./);
  });
});
