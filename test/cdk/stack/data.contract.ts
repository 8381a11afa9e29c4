import { describe, expect, it } from 'vitest';
import { TTL_ATTRIBUTE, tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';
import { invokedName } from '#test/cdk/stack/function-names.support.ts';
import { type Properties, parameterTarget, type Synthesized } from '#test/cdk/synthesized.support.ts';

const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions, BillingMode } = tableDefinition('');

export function dataContract(stack: () => Synthesized): void {
  const table = () => Object.values(stack().state.of('AWS::DynamoDB::GlobalTable'))[0];
  const here = (): Properties => table()?.Properties.Replicas[0];
  const readers = (): Properties[] =>
    Object.values(stack().of('AWS::Lambda::EventSourceMapping'))
      .map(({ Properties: p }) => p)
      .filter(({ EventSourceArn }) => EventSourceArn.Ref?.includes('stream'));

  const nameOf = ({ FunctionName }: Properties) => invokedName(stack(), FunctionName);
  const reader = (name: string): Properties => readers().find((each) => nameOf(each) === name);
  const filterOf = (name: string) => JSON.parse(reader(name).FilterCriteria.Filters[0].Pattern).dynamodb.Keys;

  describe('the table', () => {
    it('has the keys and indexes that the contract suite of the store tests', () => {
      expect(Object.keys(stack().state.of('AWS::DynamoDB::GlobalTable'))).toHaveLength(1);
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

    it('is in its own region alone, has no index of hot keys, and is encrypted with the key of DynamoDB', () => {
      expect(table()?.Properties.Replicas).toMatchObject([{ Region: { Ref: 'AWS::Region' } }]);
      expect(stack().state.text).not.toContain('ContributorInsights');
      expect(table()?.Properties.SSESpecification).toEqual({ SSEEnabled: false });
    });

    it('can be restored to any point in time', () => {
      expect(here().PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    });
  });

  describe('the stream', () => {
    it('contains both images of an item, and has two consumers', () => {
      expect(table()?.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
      expect(readers().map(nameOf).sort()).toEqual(['projector', 'relay']);
      const [id] = Object.keys(stack().state.of('AWS::DynamoDB::GlobalTable'));
      for (const { EventSourceArn } of readers()) expect(parameterTarget(stack(), EventSourceArn)).toBe(id);
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

    it('invokes the relay only for what has events, and the projector only for what it counts', () => {
      expect(filterOf('relay')).toEqual({ sk: { S: ['PAY', 'LINK', 'SUB', 'INV', 'DISP'] } });
      expect(filterOf('projector')).toEqual({ sk: { S: ['PAY', 'EXEC', 'SUB', 'DISP'] } });
    });
  });
}
