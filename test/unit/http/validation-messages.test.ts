import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { randomCredentials } from '#lib/local/demo.ts';
import { validationMessage } from '#shared/domain/reference/validation-messages.rules.ts';
import { PROVIDERS, providerOf } from '#shared/psp/providers.ts';
import { OURS } from '#test/http/bad-input.support.ts';
import { sampleOf } from '#test/http/sample-input.support.ts';

/** The messages of this project say what is expected; those of zod say what was found, in terms of TypeScript. */
const OUR_WAY = /^(The|A|An|Has|Is|Must|This|Send|There|Unknown)\b[^|]*[.]$/;

const LONG = 'x'.repeat(100_000);
const JUNK = [
  undefined,
  null,
  true,
  7,
  -1,
  1.5,
  1e300,
  '',
  'junk',
  '\ud800',
  LONG,
  [],
  [null],
  [[]],
  {},
  { '': 1 },
  { [LONG]: {} },
  { junk: { junk: 1 } },
];

/** Invalid values for a field, and for every field within it. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* JUNK;
  if (Array.isArray(value))
    for (const [n, inner] of value.entries()) for (const other of spoiled(inner)) yield value.with(n, other);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  yield { ...value, junk: 1 };
  for (const [name, inner] of Object.entries(value))
    for (const other of spoiled(inner)) yield { ...value, [name]: other };
}

/** Every field of a schema, required or not. */
function wholeOf(shape: z.ZodType): object {
  const names = shape instanceof z.ZodObject ? Object.keys(shape.shape) : [];
  return { ...Object.fromEntries(names.map((name) => [name, {}])), ...(sampleOf(shape, () => undefined) as object) };
}

function* messagesIn(issues: readonly z.core.$ZodIssue[]): Generator<string> {
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') continue;
    if (issue.code === 'invalid_key') yield* messagesIn(issue.issues);
    else yield issue.message;
  }
}

const faultsOf = (shape: z.ZodType, value: unknown) => [
  ...messagesIn(shape.safeParse(value, { error: validationMessage }).error?.issues ?? []),
];

const SHAPES = OURS.flatMap(({ method, path, body, query }) => [
  ...(body ? [[`the body of ${method} ${path}`, body] as const] : []),
  ...(query ? [[`the query of ${method} ${path}`, query] as const] : []),
]);

describe('every validation error', () => {
  it.each(SHAPES)('of %s has a message of this project, not of zod', (_, shape) => {
    const messages = new Set([...spoiled(wholeOf(shape))].flatMap((value) => faultsOf(shape, value)));
    expect([...messages].filter((message) => !OUR_WAY.test(message))).toEqual([]);
    expect(messages.size).toBeGreaterThan(0);
  });

  it.each(PROVIDERS)('of the credentials of %s has a message of this project, not of zod', async (provider) => {
    const adapter = await providerOf(provider)?.load();
    const whole = randomCredentials(provider, 'sandbox');
    const faults = [...spoiled(whole)].flatMap((value) => {
      const read = adapter?.parseCredentials(value);
      return read?.ok === false ? read.faults : [];
    });
    const messages = new Set(faults.map(({ message }) => message));
    expect([...messages].filter((message) => !OUR_WAY.test(message))).toEqual([]);
    expect(messages.size).toBeGreaterThan(0);
  });

  it('of a list of secrets has a message of this project, not of zod', async () => {
    const stripe = await providerOf('stripe')?.load();
    const read = stripe?.parseCredentials({
      ...randomCredentials('stripe', 'sandbox'),
      webhook_secret: [],
    });
    expect(read).toEqual({ ok: false, faults: [{ path: 'webhook_secret', message: 'Must have at least 1 entry.' }] });
  });
});
