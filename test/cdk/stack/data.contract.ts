import { describe, expect, it } from 'vitest';
import { tableDefinition } from '#shared/store/dynamo-schema.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions, BillingMode } = tableDefinition('');

export function dataContract(stack: () => Synthesized): void {
  const table = () => Object.values(stack().of('AWS::DynamoDB::Table'))[0];
  const readers = (): Properties[] =>
    Object.values(stack().of('AWS::Lambda::EventSourceMapping'))
      .map(({ Properties: p }) => p)
      .filter(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn');

  describe('the table', () => {
    it('is the one that the contract suite runs against', () => {
      expect(Object.keys(stack().of('AWS::DynamoDB::Table'))).toHaveLength(1);
      expect(table()?.Properties).toMatchObject({ KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode });
      expect(table()?.Properties.GlobalSecondaryIndexes).toHaveLength(GlobalSecondaryIndexes.length);
    });

    it('can be put back to any second', () => {
      expect(table()?.Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    });
  });

  describe('the stream', () => {
    it('tells both images of an item, and has one reader of the two it bears', () => {
      expect(table()?.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
      expect(readers().map(({ FunctionName }) => functionNames(stack()).get(idOf(FunctionName)))).toEqual(['relay']);
    });

    it('is read in order and without loss, and one record that fails stops nothing for long', () => {
      for (const reader of readers())
        expect(reader).toMatchObject({
          ParallelizationFactor: 1,
          StartingPosition: 'TRIM_HORIZON',
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          MaximumRetryAttempts: 10,
          DestinationConfig: { OnFailure: {} },
        });
    });

    it('is silent of the items that every request counts in', () => {
      const [reader] = readers();
      const [{ Pattern }] = reader.FilterCriteria.Filters;
      expect(JSON.parse(Pattern)).toEqual({ dynamodb: { Keys: { sk: { S: [{ 'anything-but': ['KEY', 'ADDR'] }] } } } });
    });
  });
}
