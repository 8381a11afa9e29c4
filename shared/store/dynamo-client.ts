import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Well over what a call takes, well under what a payment may. */
const CONNECT_MS = 1_000;
const ANSWER_MS = 3_000;

/** Without the SDK's own retries: they'd repeat writes whose answer was lost, and only the adapter knows which may be. */
export function dynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    ...config,
  });
}
