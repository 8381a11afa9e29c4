import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasJava } from '#lib/local/dynamodb-local.ts';
import { newDynamoDb, type TestDynamoDb } from '#test/support/shared-dynamodb.ts';

const REASON = 'DynamoDB Local needs Java 17, and there is none here';

// biome-ignore lint/style/noProcessEnv: only the test run itself knows whether it may skip.
const inCi = process.env.CI === 'true';

/** A suite against DynamoDB Local. Without Java it is skipped by name, and fails in CI. */
export function dynamoDbSuite(name: string, body: (local: () => TestDynamoDb) => void): void {
  describe(name, () => {
    if (!hasJava()) {
      it.skipIf(!inCi)(`is not checked: ${REASON}`, () => expect.fail(REASON));
      return;
    }
    let local: TestDynamoDb;
    beforeAll(async () => {
      local = await newDynamoDb();
    });
    afterAll(() => local?.client.destroy());
    body(() => local);
  });
}
