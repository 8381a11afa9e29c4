import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { EVENT_FIELDS, type FieldShape, type Fields } from '#shared/domain/webhooks/event-fields.catalog.ts';
import { pathsInExpression, pathsInText } from '#shared/domain/workflows/expression.rules.ts';
import type { NamePath } from '#shared/domain/workflows/expression-limits.rules.ts';

/** Finds names in an expression that never exist: it could never have a value, and is refused when it is saved. */

const EVENT = { id: 'value', type: 'value', created_at: 'value' } as const satisfies Fields;
const EXECUTION = { id: 'value' } as const satisfies Fields;
const ANY_EVENT_FIELDS: Fields = Object.assign({}, ...Object.values(EVENT_FIELDS));

/** The path up to its first name that does not exist; undefined if it may exist. */
export function missingIn(path: NamePath, shape: FieldShape): NamePath | undefined {
  let at: FieldShape | undefined = shape;
  for (const [n, name] of path.entries()) {
    if (at === 'anything') return undefined;
    at = at !== undefined && at !== 'value' && Object.hasOwn(at, name) ? at[name] : undefined;
    if (at === undefined) return path.slice(0, n + 1);
  }
  return undefined;
}

/** The fields of each name that an expression can use, except for `steps`. */
const FIELDS: ReadonlyMap<string, Fields> = new Map([
  ['event', EVENT],
  ['execution', EXECUTION],
  ['data', ANY_EVENT_FIELDS],
]);

/** Checks against the fields of any event; step names are checked where the steps are known. */
function faultOfName([of = '', ...path]: NamePath): string | undefined {
  const fields = FIELDS.get(of);
  const missing = fields && missingIn(path, fields);
  if (!missing) return undefined;
  const name = [of, ...missing].join('.');
  if (of === 'data') return `Refers to ${name}, but no event has it.`;
  return `Refers to ${name}, but ${of} has only ${Object.keys(fields).join(', ')}.`;
}

const firstFault = (paths: readonly NamePath[]): string | undefined =>
  paths.map(faultOfName).find((fault) => fault !== undefined);

export const faultInNames = (expression: string): string | undefined => firstFault(pathsInExpression(expression).paths);

/** Of a text with `{{ expressions }}` in it. */
export function faultInNamesOfText(text: string): string | undefined {
  for (const { expression, paths } of pathsInText(text)) {
    const fault = firstFault(paths);
    if (fault !== undefined) return `{{ ${expression} }}: ${fault}`;
  }
  return undefined;
}

/** The paths that no event of this type has. */
export const missingAt = (type: EventType, paths: readonly NamePath[]): readonly NamePath[] =>
  paths.flatMap(([of, ...path]) => {
    const missing = of === 'data' ? missingIn(path, EVENT_FIELDS[type]) : undefined;
    return missing ? [missing] : [];
  });
