import { describe, expect, it } from 'vitest';
import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { ROUTES } from '#functions/route-table.ts';
import { bundledFunctions } from '#lib/aws/bundling.ts';
import { readAwsEnv } from '#shared/aws-env.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

/** What CloudFormation would put in place of a reference, as far as the environment's own reader looks. */
const resolved = (value: Properties, name: string): string => {
  if (typeof value === 'string') return value;
  if (name.endsWith('_ARN')) return `arn:aws:kms:eu-central-1:111122223333:key/${idOf(value)}`;
  return name.includes('URL') ? `https://${idOf(value)}.example` : idOf(value);
};

export function functionsContract(stack: () => Synthesized): void {
  const all = (): Properties[] => Object.values(stack().of('AWS::Lambda::Function')).map(({ Properties: p }) => p);
  const byName = (name: string) => all().find(({ Description }) => Description === `payfork ${name}`);

  describe('the functions', () => {
    it('are those that have an entry point', () => {
      expect([...functionNames(stack()).values()].sort()).toEqual(bundledFunctions());
    });

    it('run on Node.js 24 and arm64, with an amount of memory and time that was chosen', () => {
      stack().template.allResourcesProperties('AWS::Lambda::Function', {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      expect(all().filter(({ MemorySize, Timeout }) => !MemorySize || !Timeout)).toEqual([]);
    });

    it('are told all that they read', () => {
      for (const { Environment } of all()) {
        const variables = Object.fromEntries(
          Object.entries(Environment.Variables).map(([name, value]) => [name, resolved(value, name)]),
        );
        expect(readAwsEnv(variables).stage).toBe(stack().stage);
        expect(variables).toMatchObject({ TABLE_NAME: Object.keys(stack().of('AWS::DynamoDB::Table'))[0] });
      }
    });

    it('have a log each, which is kept for a time', () => {
      const logs = stack().of('AWS::Logs::LogGroup');
      const ids = all().map(({ LoggingConfig }) => idOf(LoggingConfig.LogGroup));
      expect(new Set(ids).size).toBe(all().length);
      expect(ids.filter((id) => !logs[id])).toEqual([]);
      expect(Object.values(logs).filter(({ Properties: p }) => !(p.RetentionInDays > 0))).toEqual([]);
    });

    it.each(Object.keys(ROUTES))('%s gives up before the API does', (group) =>
      expect(byName(group).Timeout).toBeLessThan(30),
    );

    it.each(Object.entries(QUEUE_CONSUMERS))('%s has the time that a message takes', (name, { timeoutMs }) => {
      expect(byName(name).Timeout * 1_000).toBeGreaterThanOrEqual(timeoutMs);
    });
  });
}
