import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Well above the time of a normal call, and well below that of a payment. */
const CONNECT_MS = 1_000;
const RESPONSE_MS = 3_000;

/**
 * Without the SDK's own retries: they would repeat writes whose response was lost, and only the adapter knows which
 * writes may be repeated.
 */
export function dynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: RESPONSE_MS, throwOnRequestTimeout: true },
    ...config,
  });
}
