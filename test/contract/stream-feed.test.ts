import { randomBytes } from 'node:crypto';
import { openDynamoStore } from '#lib/local/dynamo-store.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { type FeedUnderTest, feedContract } from '#test/contract/feed.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

dynamoDbSuite('DynamoDB Local', (local) => {
  feedContract('DynamoDB', async () => {
    const accessKey = randomBytes(8).toString('hex');
    const database = openDatabase(':memory:');
    const open = async (): Promise<FeedUnderTest> => {
      const opened = new AsyncDisposableStack();
      const options = {
        folder: { accessKey, emulator: undefined },
        database,
        consumers: ['relay', 'projector'],
        emulator: local().endpoint,
      };
      const store = await openDynamoStore(options, opened);
      const close = () => opened.disposeAsync();
      return { ...store, close, reopen: () => close().then(open) };
    };
    return open();
  });
});
