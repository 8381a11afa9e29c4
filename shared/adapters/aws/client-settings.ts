/** Well over what a call takes, well under what a function may. */
const CONNECT_MS = 1_000;
const ANSWER_MS = 3_000;

/**
 * For services whose calls may be made twice: a message sent again comes twice, a data key made again is another one.
 * The SDK repeats what was throttled or lost, three tries in all. The table is not of these; see `dynamoClient`.
 */
export const repeatable = {
  maxAttempts: 3,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
} as const;
