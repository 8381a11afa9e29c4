import { isDeepStrictEqual } from 'node:util';

/** SQS's limits; the local queue enforces them too, so that nothing works here and fails there. */
export const MAX_DELAY_SECONDS = 900;
export const MAX_BODY_BYTES = 256 * 1024;
/** A message received this often without success goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;

/**
 * The message's body as text. Throws for values that JSON would change: a Date, a Secret, NaN, an undefined property.
 */
export function messageText(message: {
  readonly body: Readonly<Record<string, unknown>>;
  readonly delaySeconds?: number;
}): string {
  const { body, delaySeconds = 0 } = message;
  if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS)
    throw new RangeError(
      `A message waits 0 to ${MAX_DELAY_SECONDS} whole seconds, not ${delaySeconds}; longer waits belong in ` +
        'the due index.',
    );
  const text = JSON.stringify(body);
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), body))
    throw new TypeError('The body of a message must be plain JSON.');
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new RangeError(`The body of a message has at most ${MAX_BODY_BYTES} bytes.`);
  return text;
}
