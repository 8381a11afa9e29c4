import { SECOND } from '#shared/kernel/clock.ts';
import { plausible } from '#test/support/examples/plausible-values.ts';
import { PREFERRED, PREFERRED_ERRORS } from '#test/support/examples/preferred-examples.ts';
import type { RecordedEvent, RecordedExample } from '#test/support/examples/record-example.ts';
import type { Body } from '#test/support/host.ts';

/** What the document shows of an operation, and of an error code. */
export type Examples = {
  readonly operations: Readonly<Record<string, OperationExample>>;
  readonly errors: Readonly<Record<string, unknown>>;
};
type OperationExample = { readonly status: number; readonly request?: unknown; readonly response: unknown };

/** Of each operation the most telling success, and of each error code the shortest error. The order does not matter. */
export function chooseExamples(recorded: readonly RecordedExample[]): Examples {
  const shown = recorded.map(({ operation, status, request, response }) => ({
    operation,
    ...plausible({ status, request, response: withFirstItems(response) }),
  }));
  const successes = Map.groupBy(
    shown.filter(({ status }) => status < 300),
    ({ operation }) => operation,
  );
  const errors = Map.groupBy(
    shown.filter(({ status, response }) => status >= 400 && codeOf(response) !== undefined),
    ({ response }) => codeOf(response) ?? '',
  );
  return {
    operations: fromEntries(successes, (all) => {
      const { operation: _, ...example } = best(all, scoreOf);
      return example;
    }),
    errors: fromEntries(errors, (all) => {
      const isPreferred = PREFERRED_ERRORS[codeOf(all[0]?.response) ?? ''] ?? (() => false);
      const preferred = all.filter(({ response }) => isPreferred(response as Body));
      return best(preferred.length > 0 ? preferred : all, ({ response }) => -lengthOf(response)).response;
    }),
  };
}

/** Of each type of event the most telling one, as it is sent at once. */
export function chooseEvents(recorded: readonly RecordedEvent[]): Readonly<Record<string, RecordedEvent>> {
  const shown = recorded.map((each) => {
    const event = plausible(each);
    return { ...event, timestamp: Date.parse(event.created_at) / SECOND };
  });
  const score = (response: RecordedEvent) => scoreOf({ operation: '', status: 200, response });
  return fromEntries(
    Map.groupBy(shown, ({ type }) => type),
    (all) => best(all, score),
  );
}

const codeOf = (response: unknown): string | undefined => {
  const { code } = Object(response) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

function fromEntries<T, R>(groups: ReadonlyMap<string, readonly T[]>, choose: (all: readonly T[]) => R) {
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, all]) => [name, choose(all)]));
}

/** Among equals the first in the order of their texts. */
function best<T>(all: readonly T[], score: (each: T) => number): T {
  const ranked = all.map((each) => ({ each, score: score(each), text: JSON.stringify(each) }));
  const [first] = ranked.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  if (first === undefined) throw new Error('There is no example.');
  return first.each;
}

/** Objects, and texts or numbers, of a list. */
const MAX_OBJECTS = 1;
const MAX_TEXTS = 3;
/** These refer to each other. */
const WHOLE = new Set(['steps', 'variants']);

/** The same with the first items of its lists only. */
function withFirstItems(node: unknown): unknown {
  if (Array.isArray(node)) {
    const areObjects = node.every((each) => typeof each === 'object' && each !== null);
    return node.slice(0, areObjects ? MAX_OBJECTS : MAX_TEXTS).map(withFirstItems);
  }
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, WHOLE.has(name) ? value : withFirstItems(value)]),
  );
}

/** Characters that an example may have without losing against a shorter one. */
const ROOM = { request: 600, response: 1_800 } as const;
const MAX_FIELDS = { request: 6, response: 40 } as const;

/** Values in as many fields as a reader can take in, in words that a shop would use. */
function scoreOf({ operation, request, response }: RecordedExample): number {
  const part = (node: unknown, kind: keyof typeof ROOM) =>
    Math.min(filledIn(node), MAX_FIELDS[kind]) - Math.max(0, lengthOf(node) - ROOM[kind]) / 40;
  const strange = [...textsIn(request), ...textsIn(response)].filter(isStrange).length;
  const isPreferred = PREFERRED[operation]?.({ request, response } as never) === true;
  return 2 * part(request, 'request') + part(response, 'response') - 15 * strange + (isPreferred ? 500 : 0);
}

const lengthOf = (node: unknown): number => (node === undefined ? 0 : JSON.stringify(node).length);

const filledIn = (node: unknown): number =>
  typeof node === 'object' && node !== null
    ? Object.values(node).reduce<number>((sum, value) => sum + filledIn(value), 0)
    : Number(node !== null && node !== undefined && node !== '');

const textsIn = (node: unknown): readonly string[] =>
  typeof node === 'string' ? [node] : Object.values(Object(node)).flatMap(textsIn);

/** Tests try every text; a reader expects ordinary ones. */
const isStrange = (text: string): boolean =>
  text.length > 160 || /[<>\\{}]|[^\p{Script=Latin}\p{N}\p{P}\p{Z}\p{S}]|(.)\1{4}/u.test(text);
