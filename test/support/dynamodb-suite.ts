import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamoDbLocalOptions, hasJava } from '#lib/local/dynamodb-local.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '#test/support/dynamodb-local.ts';

const REASON = 'DynamoDB Local needs Java 17, and there is none here';

// biome-ignore lint/style/noProcessEnv: only the test run itself knows whether it may skip.
const inCi = process.env.CI === 'true';

/** A suite against DynamoDB Local. Without Java it is skipped by name, and in CI it fails instead. */
export function dynamoDbSuite(
  name: string,
  body: (local: () => DynamoDbLocal) => void,
  options?: DynamoDbLocalOptions,
): void {
  describe(name, () => {
    if (!hasJava()) {
      it.skipIf(!inCi)(`is not checked: ${REASON}`, () => expect.fail(REASON));
      return;
    }
    let local: DynamoDbLocal;
    beforeAll(async () => {
      local = await startDynamoDbLocal(options);
    });
    afterAll(() => local?.stop());
    body(() => local);
  });
}
