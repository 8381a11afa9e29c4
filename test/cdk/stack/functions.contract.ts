import { describe, expect, it } from 'vitest';
import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { ROUTES } from '#functions/route-table.ts';
import { bundledFunctions } from '#lib/aws/bundling.ts';
import { readAwsEnv } from '#shared/aws-env.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

/** A value as CloudFormation would fill it in, in the form that the reader of the environment checks. */
const resolved = (value: Properties, name: string): string => {
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
        expect(variables).toMatchObject({ TABLE_NAME: Object.keys(stack().of('AWS::DynamoDB::Table'))[0] });
      }
    });

    it('have a log group each, with a retention', () => {
      const logs = stack().of('AWS::Logs::LogGroup');
      const ids = all().map(({ LoggingConfig }) => idOf(LoggingConfig.LogGroup));
      expect(new Set(ids).size).toBe(all().length);
      expect(ids.filter((id) => !logs[id])).toEqual([]);
      expect(Object.values(logs).filter(({ Properties: p }) => !(p.RetentionInDays > 0))).toEqual([]);
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
