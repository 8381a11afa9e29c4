/** Well above the time of a normal call, and well below the time-out of a function. */
const CONNECT_MS = 1_000;
const RESPONSE_MS = 3_000;

/**
 * For services whose calls may be repeated: at worst a message is delivered twice. The SDK repeats throttled and lost
 * calls, up to three attempts in all. Not for the table; see `dynamoClient`.
 */
export const RETRYING = {
  maxAttempts: 3,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: RESPONSE_MS, throwOnRequestTimeout: true },
} as const;
