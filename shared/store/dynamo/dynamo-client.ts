import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Well above a normal call's time, and well below a payment's. */
const CONNECT_MS = 1_000;
const ANSWER_MS = 3_000;

/**
 * Without the SDK's own retries: they would repeat writes whose answer was lost, and only the adapter knows which may
 * be repeated.
 */
export function dynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    ...config,
  });
}
