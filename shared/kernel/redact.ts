import { cardNumbersIn, maskCardNumbers } from '#shared/kernel/card-number.ts';
import { Secret } from '#shared/kernel/secret.ts';

/** Last words of property names that hold secrets. Adding a word hides such values in all logs. */
const SECRET_WORDS = new Set(
  (
    'apikey auth authorization bearer cardnumber cookie cookies credential credentials cvc cvv hmac jwt key keys ' +
    'otp pan passphrase password pin privatekey secret secretkey secrets session signature token tokens totp'
  ).split(' '),
);
/** Names that end in a secret word, but whose values are not secret, and needed in logs. */
const PLAIN_NAMES = new Set(['idempotency_key', 'route_key', 'public_key']);

/**
 * Patterns of secrets, anywhere in a text. Strangers choose texts that are logged, so the time of each pattern must
 * grow only linearly with the length: no part of a text may be read again from many start positions. The pattern of web
 * tokens therefore starts only at the beginning of a run of token characters, and only if the run can be the first part
 * of a token.
 */
const SECRET_TEXTS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*-----)?/g, '[secret]'],
  [/\b(pfk|sk|rk|pk|whsec|rzp|FLWSECK|FLWPUBK)(_|-)[\w+/=.-]{4,}/g, '$1$2[secret]'],
  [/\b(live|test)_[A-Za-z0-9]{24,}/g, '$1_[secret]'],
  [/(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*/g, '$1[secret]'],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{6,}/gi, '$1 [secret]'],
  [/(\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1[secret]@'],
  [/([?&#](?:[\w-]*(?:token|key|secret|password|signature|code)))=[^&\s"']+/gi, '$1=[secret]'],
];

const MAX_TEXT_LENGTH = 4_000;
const MAX_DEPTH = 8;

/** The text without its secrets. */
export function redactText(text: string): string {
  let safe = maskCardNumbers(text);
  for (const [pattern, instead] of SECRET_TEXTS) safe = safe.replace(pattern, instead);
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH)}… (${safe.length})` : safe;
}

/** A copy for JSON without secrets. None of the value's own code runs (`toJSON`, `toString`). */
export function redact(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return redactNumber(value);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'boolean' || value === null ? value : undefined;
  if (value instanceof Secret) return '[secret]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof URL) return redactText(`${value.origin}${value.pathname}`);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (above.includes(value)) return '[circular]';
  if (above.length >= MAX_DEPTH) return '[deep]';
  const within = [...above, value];
  if (value instanceof Error) return redactError(value, within);
  if (Array.isArray(value) || value instanceof Set) return [...value].map((inner) => redact(inner, within));
  return redactFields(
    value instanceof Map ? Object.fromEntries([...value].map(([name, inner]) => [nameOf(name), inner])) : value,
    within,
  );
}

export function redactFields(fields: object, within: readonly unknown[] = [fields]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      redactText(name),
      isSecretField(name, inner) ? '[redacted]' : redact(inner, within),
    ]),
  );
}

const nameOf = (key: unknown) => (typeof key === 'string' || typeof key === 'number' ? key : `[${typeof key}]`);

function redactNumber(value: number | bigint): unknown {
  const text = String(value);
  if (cardNumbersIn(text).length > 0) return '[card]';
  return typeof value === 'number' && Number.isFinite(value) ? value : text;
}

function redactError(error: Error, within: readonly unknown[]): unknown {
  const { name, message, stack, cause } = error;
  // The frames only: the stack's head repeats the message.
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : undefined;
  return {
    name: redact(name, within),
    message: redact(message, within),
    ...('code' in error && error.code !== undefined && { code: redact(error.code, within) }),
    ...('kind' in error && error.kind !== undefined && { kind: redact(error.kind, within) }),
    ...(frames && { at: frames.slice(0, 5).map((line) => redactText(line.slice(7))) }),
    ...(error instanceof AggregateError && { errors: redact(error.errors, within) }),
    ...(cause !== undefined && { cause: redact(cause, within) }),
  };
}

/** Whether the field holds a secret. A null or boolean value is shown: it only tells whether the secret is set. */
function isSecretField(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return SECRET_WORDS.has(words.at(-1) ?? '') && !PLAIN_NAMES.has(words.join('_'));
}
