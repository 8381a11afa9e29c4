import { describe, expect, it } from 'vitest';
import { TTL_ATTRIBUTE, tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions, BillingMode } = tableDefinition('');

export function dataContract(stack: () => Synthesized): void {
  const table = () => Object.values(stack().of('AWS::DynamoDB::Table'))[0];
  const readers = (): Properties[] =>
    Object.values(stack().of('AWS::Lambda::EventSourceMapping'))
      .map(({ Properties: p }) => p)
      .filter(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn');

  const nameOf = ({ FunctionName }: Properties) => functionNames(stack()).get(idOf(FunctionName));
  const reader = (name: string): Properties => readers().find((each) => nameOf(each) === name);
  const filterOf = (name: string) => JSON.parse(reader(name).FilterCriteria.Filters[0].Pattern).dynamodb.Keys;

  describe('the table', () => {
    it('has the keys and indexes that the contract suite of the store tests', () => {
      expect(Object.keys(stack().of('AWS::DynamoDB::Table'))).toHaveLength(1);
      expect(table()?.Properties).toMatchObject({
        KeySchema,
        AttributeDefinitions,
        GlobalSecondaryIndexes,
        BillingMode,
      });
      expect(table()?.Properties.GlobalSecondaryIndexes).toHaveLength(GlobalSecondaryIndexes.length);
    });

    it('deletes expired items', () => {
      expect(table()?.Properties.TimeToLiveSpecification).toEqual({ AttributeName: TTL_ATTRIBUTE, Enabled: true });
    });

    it('can be restored to any point in time', () => {
      expect(table()?.Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    });
  });

  describe('the stream', () => {
    it('contains both images of an item, and has two consumers', () => {
      expect(table()?.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
      expect(readers().map(nameOf).sort()).toEqual(['projector', 'relay']);
    });

    it('is read in order from its beginning, and continues after the last item that succeeded', () => {
      for (const reader of readers())
        expect(reader).toMatchObject({
          ParallelizationFactor: 1,
          StartingPosition: 'TRIM_HORIZON',
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          DestinationConfig: { OnFailure: {} },
        });
    });

    it('is retried by the relay for an hour, and by the projector for as long as a change is kept', () => {
      expect(reader('relay')).toMatchObject({ MaximumRetryAttempts: 10, MaximumRecordAgeInSeconds: 3_600 });
      expect(reader('projector')).toMatchObject({ TumblingWindowInSeconds: 900, MaximumBatchingWindowInSeconds: 1 });
      expect(reader('projector')).not.toHaveProperty('MaximumRetryAttempts');
      expect(reader('projector')).not.toHaveProperty('MaximumRecordAgeInSeconds');
    });

    it('does not invoke the relay for counters, and invokes the projector for payments and executions only', () => {
      expect(filterOf('relay')).toEqual({
        sk: {
          S: [
            {
              'anything-but': [
                'KEY',
                'ADDR',
                'VEL',
                'BUDGET',
                'SESS',
                'SIGNIN',
                'CHALLENGE',
                'EXEC',
                'HELD',
                'ROUTING',
              ],
            },
          ],
        },
        pk: { S: [{ 'anything-but': { prefix: 'STAT#' } }] },
      });
      expect(filterOf('projector')).toEqual({ sk: { S: ['PAY', 'EXEC'] } });
    });
  });
}
