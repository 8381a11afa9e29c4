import { Environment } from '@marcbachmann/cel-js';
import {
  faultInExpression,
  NAMES,
  NAMES_OF_EVENTS,
  type Path,
  pathsAskedForIn,
  pathsIn,
} from '#shared/domain/workflows/expression-limits.rules.ts';

/**
 * The facts for an expression: the event, its resource's data, and, in an execution, that execution and the results of
 * earlier steps by their ids.
 */
export type Facts = {
  readonly event: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly execution?: Readonly<Record<string, unknown>>;
};

/** Anything longer is a program. */
export const MOST_EXPRESSION = 1_000;

/**
 * CEL, the Common Expression Language: it has no loops, no assignment and no way out of its facts. `faultInExpression`
 * says what of it is left out.
 */
const language = new Environment({
  unlistedVariablesAreDyn: false,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 200, maxDepth: 20, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 8 },
});
for (const name of NAMES) language.registerVariable(name, 'map');

type Parsed = ReturnType<typeof language.parse>;

/** Why it can't be used as a condition; undefined if it can. */
export const faultInCondition = (text: string): string | undefined => faultInCase(text, NAMES);

/** The same for a rule's condition, which is evaluated before any step. */
export const faultInRule = (text: string): string | undefined => faultInCase(text, NAMES_OF_EVENTS);

function faultInCase(text: string, names: readonly string[]): string | undefined {
  const read = readExpression(text, names);
  if ('fault' in read) return read.fault;
  const { valid, error, type } = read.parsed.check();
  if (!valid) return noCel(error?.summary);
  return type === 'bool' || type === 'dyn' ? undefined : `Must be true or false, and this is a ${type}.`;
}

function faultIn(text: string): string | undefined {
  const read = readExpression(text);
  if ('fault' in read) return read.fault;
  const { valid, error } = read.parsed.check();
  return valid ? undefined : noCel(error?.summary);
}

function readExpression(text: string, names = NAMES): { readonly parsed: Parsed } | { readonly fault: string } {
  if (text.length > MOST_EXPRESSION) return { fault: `Must have at most ${MOST_EXPRESSION} characters.` };
  const parsed = parse(text);
  if (typeof parsed === 'string') return { fault: noCel(parsed) };
  const fault = faultInExpression(parsed.ast, names);
  return fault === undefined ? { parsed } : { fault };
}

/** Or why it is none. */
function parse(text: string): Parsed | string {
  try {
    return language.parse(text);
  } catch (error) {
    return summaryOf(error) ?? 'it can not be read';
  }
}

/** The library's type `dyn<int>` is an int known at run time only, which means nothing to readers. */
const summaryOf = (error: unknown): string | undefined =>
  error instanceof Error && 'summary' in error ? String(error.summary).replace(/dyn<(\w+)>/g, '$1') : undefined;
const sentence = (text = 'it can not be read'): string => (text.endsWith('.') ? text : `${text}.`);
const noCel = (summary: string | undefined): string => `Is no expression of CEL: ${sentence(summary)}`;

/** Why an expression has no value, such as a missing field. */
export class NoValue extends Error {
  override readonly name = 'NoValue';
}

/** Throws `NoValue` for what is neither true nor false. */
export function isTrue(text: string, facts: Facts): boolean {
  const value = evaluated(text, facts);
  if (typeof value !== 'boolean') throw new NoValue('The condition is neither true nor false.');
  return value;
}

/**
 * Codes of errors whose messages quote only the expression; others may quote the evaluated data, which is a customer's.
 */
const TOLD: ReadonlySet<unknown> = new Set([
  'no_such_key',
  'no_such_overload',
  'no_matching_overload',
  'division_by_zero',
  'modulo_by_zero',
]);

function evaluated(text: string, facts: Facts): unknown {
  // Stored expressions were checked when they were saved; these rules may have become stricter since.
  const read = readExpression(text);
  if ('fault' in read) throw new NoValue(read.fault);
  try {
    return read.parsed(exactly(facts));
  } catch (error) {
    const isTold = error instanceof Error && 'code' in error && TOLD.has(error.code);
    throw new NoValue(isTold ? sentence(summaryOf(error)) : 'The expression has no value.');
  }
}

/** The same facts are asked about again and again. */
const known = new WeakMap<Facts, Readonly<Record<keyof Facts, unknown>>>();

function exactly(facts: Facts): Readonly<Record<keyof Facts, unknown>> {
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

/** How many expressions one text may have. */
const MOST_HOLES = 50;

type Part = { readonly text: string } | { readonly expression: string };

/** The parts of a text, in order; undefined where an expression is not closed. Linear in the text's length. */
function partsOf(text: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) return undefined;
    parts.push({ text: text.slice(at, open) }, { expression: text.slice(open + 2, close).trim() });
    at = close + 2;
  }
  return [...parts, { text: text.slice(at) }];
}

const expressionsIn = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => ('expression' in part ? [part.expression] : []));

/** The paths that it spells out; none if it can't be parsed. `asked`: those that it tests for by has(). */
export function mentionsInExpression(text: string): {
  readonly paths: readonly Path[];
  readonly asked: readonly Path[];
} {
  const read = readExpression(text);
  return 'fault' in read
    ? { paths: [], asked: [] }
    : { paths: pathsIn(read.parsed.ast), asked: pathsAskedForIn(read.parsed.ast) };
}

/** The same for each expression in a text. */
export const mentionsInText = (
  text: string,
): readonly { readonly expression: string; readonly paths: readonly Path[] }[] =>
  expressionsIn(partsOf(text) ?? []).map((expression) => ({
    expression,
    paths: mentionsInExpression(expression).paths,
  }));

/** Why a text with `{{ expressions }}` in it can't be used. */
export function faultInText(text: string): string | undefined {
  const parts = partsOf(text);
  if (!parts) return 'Has a {{ without its }}.';
  const expressions = expressionsIn(parts);
  if (expressions.length > MOST_HOLES) return `Must have at most ${MOST_HOLES} expressions.`;
  for (const expression of expressions) {
    const fault = faultIn(expression);
    if (fault !== undefined) return `{{ ${expression} }}: ${fault}`;
  }
  return undefined;
}

/** The longest text for one expression's value; a list or object becomes JSON. */
const MOST_FILLED = 500;

/**
 * Fills in the values of a text's expressions; one without a value becomes empty. `written` escapes a value where it
 * could mean something else.
 */
export const filledText = (text: string, facts: Facts, written = (value: string): string => value): string =>
  (partsOf(text) ?? [{ text }])
    .map((part) =>
      'text' in part ? part.text : written(shown(part.expression, facts).slice(0, MOST_FILLED).toWellFormed()),
    )
    .join('');

/**
 * In JSON, a text that is a single expression takes its type: number, true, false or null; null too where it has no
 * value.
 */
export function filledValue(text: string, facts: Facts): string | number | boolean | null {
  const [before, hole, after, ...more] = partsOf(text) ?? [];
  const isAlone = hole !== undefined && 'expression' in hole && isEmpty(before) && isEmpty(after) && more.length === 0;
  if (!isAlone) return filledText(text, facts);
  const value = valueOrNull(hole.expression, facts);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value === null || typeof value === 'boolean' ? value : filledText(text, facts);
}

const isEmpty = (part: Part | undefined): boolean => part !== undefined && 'text' in part && part.text === '';

function valueOrNull(expression: string, facts: Facts): unknown {
  try {
    return evaluated(expression, facts) ?? null;
  } catch (error) {
    if (error instanceof NoValue) return null;
    throw error;
  }
}

const shown = (expression: string, facts: Facts): string => inWords(valueOrNull(expression, facts));

function inWords(value: unknown): string {
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
    if (text.length >= MOST_FILLED) break;
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
    yield isWhole(value) ? String(value) : (JSON.stringify(isOwn(value) ? inWords(value) : value) ?? 'null');
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
