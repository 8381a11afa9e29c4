import { Environment } from '@marcbachmann/cel-js';
import {
  faultInExpression,
  NAMES,
  NAMES_OF_EVENTS,
  type NamePath,
  pathsIn,
  pathsTestedIn,
} from '#shared/domain/workflows/expression-limits.rules.ts';

/**
 * What an expression can use: the event, its data, and, within an execution, the execution and the outputs of earlier
 * steps by their ids.
 */
export type Facts = {
  readonly event: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly execution?: Readonly<Record<string, unknown>>;
};

/** Characters in an expression. */
export const MAX_EXPRESSION_LENGTH = 1_000;

/**
 * CEL, the Common Expression Language. It has no assignment and no access beyond its facts. `faultInExpression` says
 * which parts of it are not allowed.
 */
const language = new Environment({
  unlistedVariablesAreDyn: false,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 200, maxDepth: 20, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 8 },
});
for (const name of NAMES) language.registerVariable(name, 'map');

type Parsed = ReturnType<typeof language.parse>;

/** Why this text cannot be a condition; undefined if it can. */
export const faultInCondition = (text: string): string | undefined => conditionFault(text, NAMES);

/** As above, for a rule's condition, which is evaluated before any step. */
export const faultInRule = (text: string): string | undefined => conditionFault(text, NAMES_OF_EVENTS);

function conditionFault(text: string, names: readonly string[]): string | undefined {
  const read = parseExpression(text, names);
  if ('fault' in read) return read.fault;
  const { valid, error, type } = read.parsed.check();
  if (!valid) return notCel(error?.summary);
  return type === 'bool' || type === 'dyn' ? undefined : `Must be true or false, but this is a ${type}.`;
}

function faultIn(text: string): string | undefined {
  const read = parseExpression(text);
  if ('fault' in read) return read.fault;
  const { valid, error } = read.parsed.check();
  return valid ? undefined : notCel(error?.summary);
}

function parseExpression(text: string, names = NAMES): { readonly parsed: Parsed } | { readonly fault: string } {
  if (text.length > MAX_EXPRESSION_LENGTH) return { fault: `Must have at most ${MAX_EXPRESSION_LENGTH} characters.` };
  const parsed = parse(text);
  if (typeof parsed === 'string') return { fault: notCel(parsed) };
  const fault = faultInExpression(parsed.ast, names);
  return fault === undefined ? { parsed } : { fault };
}

/** The parsed expression, or why the text is not one. */
function parse(text: string): Parsed | string {
  try {
    return language.parse(text);
  } catch (error) {
    return summaryOf(error) ?? 'it cannot be parsed';
  }
}

/** The library's type `dyn<int>` is an int known at run time only, which means nothing to readers. */
const summaryOf = (error: unknown): string | undefined =>
  error instanceof Error && 'summary' in error ? String(error.summary).replace(/dyn<(\w+)>/g, '$1') : undefined;
const sentence = (text = 'it cannot be parsed'): string => (text.endsWith('.') ? text : `${text}.`);
const notCel = (summary: string | undefined): string => `Is not a CEL expression: ${sentence(summary)}`;

/** Why an expression has no value, such as a missing field. */
export class ExpressionWithoutValue extends Error {
  override readonly name = 'NoValue';
}

/** Throws `ExpressionHasNoValue` unless the result is true or false. */
export function isTrue(text: string, facts: Facts): boolean {
  const value = evaluate(text, facts);
  if (typeof value !== 'boolean') throw new ExpressionWithoutValue('The condition is neither true nor false.');
  return value;
}

/** Errors whose messages quote only the expression. Others may quote the data, which belongs to a customer. */
const SAFE_ERROR_CODES: ReadonlySet<unknown> = new Set([
  'no_such_key',
  'no_such_overload',
  'no_matching_overload',
  'division_by_zero',
  'modulo_by_zero',
]);

function evaluate(text: string, facts: Facts): unknown {
  // Stored expressions were checked when they were saved. The rules may have become stricter since.
  const read = parseExpression(text);
  if ('fault' in read) throw new ExpressionWithoutValue(read.fault);
  try {
    return read.parsed(exactFactsOf(facts));
  } catch (error) {
    const isSafe = error instanceof Error && 'code' in error && SAFE_ERROR_CODES.has(error.code);
    throw new ExpressionWithoutValue(isSafe ? sentence(summaryOf(error)) : 'The expression has no value.');
  }
}

/** The same facts are used for many expressions. */
const known = new WeakMap<Facts, Readonly<Record<keyof Facts, unknown>>>();

function exactFactsOf(facts: Facts): Readonly<Record<keyof Facts, unknown>> {
  const { event, data, steps, execution = {} } = facts;
  const exactFacts = known.get(facts) ?? {
    event: exact(event),
    data: exact(data),
    steps: exact(steps),
    execution: exact(execution),
  };
  known.set(facts, exactFacts);
  return exactFacts;
}

/**
 * CEL distinguishes integers from doubles and does not mix them; JSON does not. Objects become maps, so that a
 * merchant's field `constructor` is an ordinary name.
 */
function exact(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([name, each]) => [name, exact(each)]));
  return value;
}

/** Expressions in one text. */
export const MAX_PLACEHOLDERS = 50;

type TextPart = { readonly text: string } | { readonly expression: string };

/** The parts of a text, in order; undefined if an expression is not closed. Linear in the text's length. */
function partsOf(text: string): readonly TextPart[] | undefined {
  const parts: TextPart[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) return undefined;
    parts.push({ text: text.slice(at, open) }, { expression: text.slice(open + 2, close).trim() });
    at = close + 2;
  }
  return [...parts, { text: text.slice(at) }];
}

const expressionsIn = (parts: readonly TextPart[]): readonly string[] =>
  parts.flatMap((part) => ('expression' in part ? [part.expression] : []));

/** The paths that an expression names; none if it cannot be parsed. `tested`: those that it tests with has(). */
export function pathsInExpression(text: string): {
  readonly paths: readonly NamePath[];
  readonly tested: readonly NamePath[];
} {
  const read = parseExpression(text);
  return 'fault' in read
    ? { paths: [], tested: [] }
    : { paths: pathsIn(read.parsed.ast), tested: pathsTestedIn(read.parsed.ast) };
}

/** As above, for each expression in a text. */
export const pathsInText = (
  text: string,
): readonly { readonly expression: string; readonly paths: readonly NamePath[] }[] =>
  expressionsIn(partsOf(text) ?? []).map((expression) => ({
    expression,
    paths: pathsInExpression(expression).paths,
  }));

/** Why a text with `{{ expressions }}` is not valid; undefined if it is. */
export function faultInText(text: string): string | undefined {
  const parts = partsOf(text);
  if (!parts) return 'Has a {{ without its }}.';
  const expressions = expressionsIn(parts);
  if (expressions.length > MAX_PLACEHOLDERS) return `Must have at most ${MAX_PLACEHOLDERS} expressions.`;
  for (const expression of expressions) {
    const fault = faultIn(expression);
    if (fault !== undefined) return `{{ ${expression} }}: ${fault}`;
  }
  return undefined;
}

/** Characters of one expression's value in a text. A list or object becomes JSON. */
export const MAX_FILLED_LENGTH = 500;

/** Replaces the expressions of a text by their values, or by nothing if there is none. `written` escapes a value. */
export const fillText = (text: string, facts: Facts, written = (value: string): string => value): string =>
  (partsOf(text) ?? [{ text }])
    .map((part) =>
      'text' in part
        ? part.text
        : written(formatted(part.expression, facts).slice(0, MAX_FILLED_LENGTH).toWellFormed()),
    )
    .join('');

/** In JSON, a text that is one single expression keeps the type of its value. It is null if there is no value. */
export function fillValue(text: string, facts: Facts): string | number | boolean | null {
  const [before, placeholder, after, ...more] = partsOf(text) ?? [];
  const isAlone =
    placeholder !== undefined && 'expression' in placeholder && isEmpty(before) && isEmpty(after) && more.length === 0;
  if (!isAlone) return fillText(text, facts);
  const value = valueOrNull(placeholder.expression, facts);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value === null || typeof value === 'boolean' ? value : fillText(text, facts);
}

const isEmpty = (part: TextPart | undefined): boolean => part !== undefined && 'text' in part && part.text === '';

function valueOrNull(expression: string, facts: Facts): unknown {
  try {
    return evaluate(expression, facts) ?? null;
  } catch (error) {
    if (error instanceof ExpressionWithoutValue) return null;
    throw error;
  }
}

const formatted = (expression: string, facts: Facts): string => formatValue(valueOrNull(expression, facts));

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return Array.isArray(value) || value instanceof Map ? beginningOf(jsonOf(value)) : String(value);
}

/** Truncated early: a short expression can make a list of lists of any size. */
function beginningOf(pieces: Iterable<string>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length >= MAX_FILLED_LENGTH) break;
  }
  return text;
}

function* jsonOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* listed('[', value, ']', jsonOf);
  } else if (value instanceof Map) {
    yield* listed('{', [...value], '}', function* ([name, inner]) {
      yield `${JSON.stringify(name)}:`;
      yield* jsonOf(inner);
    });
  } else {
    yield isWhole(value) ? String(value) : (JSON.stringify(isOwn(value) ? formatValue(value) : value) ?? 'null');
  }
}

/** CEL's unsigned integers are objects. */
const isWhole = (value: unknown): boolean => typeof Object(value ?? '').valueOf() === 'bigint';

/** Values that JSON would write as objects: durations, bytes. */
const isOwn = (value: unknown): boolean => typeof value === 'object' && value !== null;

function* listed<T>(
  open: string,
  things: readonly T[],
  close: string,
  write: (thing: T) => Iterable<string>,
): Generator<string> {
  yield open;
  for (const [n, thing] of things.entries()) {
    if (n > 0) yield ',';
    yield* write(thing);
  }
  yield close;
}
