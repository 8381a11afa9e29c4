import { describe, expect, it } from 'vitest';
import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { ROUTES } from '#functions/route-table.ts';
import { bundledFunctions } from '#lib/aws/bundling.ts';
import { readAwsEnv } from '#shared/aws-env.ts';
import { functionNames, invokedName } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

/** A value as CloudFormation would fill it in, in the form that the reader of the environment checks. */
export const resolved = (value: Properties, name: string): string => {
  if (typeof value === 'string') return value;
  if (name.endsWith('_ARN')) return `arn:aws:kms:eu-central-1:111122223333:key/${idOf(value)}`;
  return name.includes('URL') ? `https://${idOf(value)}.example` : idOf(value);
};

export function functionsContract(stack: () => Synthesized): void {
  const all = (): Properties[] => Object.values(stack().of('AWS::Lambda::Function')).map(({ Properties: p }) => p);
  const byName = (name: string) => all().find(({ Description }) => Description === `payfork ${name}`);

  describe('the functions', () => {
    it('are exactly those that have an entry point', () => {
      expect([...functionNames(stack()).values()].sort()).toEqual(bundledFunctions());
    });

    it('run on Node.js 24 and arm64, with explicit memory and time-out', () => {
      stack().template.allResourcesProperties('AWS::Lambda::Function', {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      expect(all().filter(({ MemorySize, Timeout }) => !MemorySize || !Timeout)).toEqual([]);
    });

    it('have every environment variable that they read', () => {
      for (const { Environment } of all()) {
        const variables = Object.fromEntries(
          Object.entries(Environment.Variables).map(([name, value]) => [name, resolved(value, name)]),
        );
        expect(readAwsEnv(variables).stage).toBe(stack().stage);
        const [table] = Object.values(stack().state.of('AWS::DynamoDB::GlobalTable'));
        expect(variables).toMatchObject({ TABLE_NAME: table?.Properties.TableName });
      }
    });

    it('have a log group each, with a retention', () => {
      const logs = Object.values(stack().state.of('AWS::Logs::LogGroup')).map(({ Properties: p }) => p);
      const names = all().map(({ LoggingConfig }) => LoggingConfig.LogGroup);
      const [api] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const [, access] = /log-group:(.+?)(:\*)?$/.exec(textOf(api?.Properties.AccessLogSettings.DestinationArn)) ?? [];
      expect(logs.map(({ LogGroupName }) => LogGroupName).sort()).toEqual([...names, access].sort());
      expect(new Set(names).size).toBe(all().length);
      expect(logs.filter(({ RetentionInDays }) => !(RetentionInDays > 0))).toEqual([]);
    });

    it('are invoked by their alias and by nothing else, so that a roll-out decides which version runs', () => {
      const functions = Object.keys(stack().of('AWS::Lambda::Function'));
      const aliases = Object.values(stack().of('AWS::Lambda::Alias')).map(({ Properties: p }) => [
        idOf(p.FunctionName),
        p.Name,
      ]);
      expect(aliases.sort()).toEqual(functions.map((id) => [id, 'current']).sort());
      const invoking = [
        ...Object.values(stack().of('AWS::Lambda::EventSourceMapping')).map(({ Properties: p }) => p.FunctionName),
        ...Object.values(stack().of('AWS::Scheduler::Schedule')).map(({ Properties: p }) => p.Target.Arn),
        ...Object.values(stack().of('AWS::Lambda::Permission')).map(({ Properties: p }) => p.FunctionName),
      ];
      expect(invoking.filter((target) => invokedName(stack(), target) === undefined)).toEqual([]);
      for (const type of ['AWS::Lambda::Url', 'AWS::Lambda::EventInvokeConfig'])
        for (const { Properties: p } of Object.values(stack().of(type))) expect(p.Qualifier).toBeDefined();
    });

    it('may write to their own log, and create none', () => {
      const writing = Object.values(stack().of('AWS::IAM::Policy')).flatMap(({ Properties: p }) =>
        p.PolicyDocument.Statement.filter(({ Action }: Properties) => JSON.stringify(Action).includes('logs:')).map(
          ({ Action, Resource }: Properties) => [Action, textOf(Resource).replace(/^.*log-group:/, '')],
        ),
      );
      const own = all().map(({ LoggingConfig }) => [
        ['logs:CreateLogStream', 'logs:PutLogEvents'],
        `${LoggingConfig.LogGroup}:*`,
      ]);
      expect(writing.sort()).toEqual(own.sort());
    });

    it.each(Object.keys(ROUTES))('%s times out before the API does', (group) =>
      expect(byName(group).Timeout).toBeLessThan(30),
    );

    it.each(Object.entries(QUEUE_CONSUMERS))(
      '%s has at least the time that a message may take',
      (name, { timeoutMs }) => {
        expect(byName(name).Timeout * 1_000).toBeGreaterThanOrEqual(timeoutMs);
      },
    );
  });
}
