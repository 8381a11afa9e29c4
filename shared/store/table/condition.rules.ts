import { checkName, checkValue, ensure, isList } from '#shared/store/table/item.rules.ts';
import type { Condition, Item, Json } from '#shared/store/table/table.port.ts';

const OPERATORS = new Set(['exists', 'absent', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'all', 'any']);
const ORDERING = new Set(['lt', 'le', 'gt', 'ge']);
/** Well below DynamoDB's 300 operators and 4 KB of expression. */
const MAX_TERMS = 100;

export function checkCondition(condition: Condition): void {
  ensure(countTerms(condition) <= MAX_TERMS, `A condition has at most ${MAX_TERMS} terms.`);
}

/** A filter runs after the key condition; DynamoDB does not let it name a key attribute. */
export function checkFilter(filter: Condition): void {
  checkCondition(filter);
  ensure(!attributesOf(filter).some((name) => name === 'pk' || name === 'sk'), 'A filter cannot look at the key.');
}

/** DynamoDB's semantics: a missing attribute or another type is never less, more or equal, and always `ne`. */
export function evaluate(condition: Condition, item: Item | undefined): boolean {
  if ('all' in condition) return condition.all.every((part) => evaluate(part, item));
  if ('any' in condition) return condition.any.some((part) => evaluate(part, item));
  if ('exists' in condition) return attribute(item, condition.exists) !== undefined;
  if ('absent' in condition) return attribute(item, condition.absent) === undefined;
  if ('eq' in condition) return deepEqual(attribute(item, condition.eq[0]), condition.eq[1]);
  if ('ne' in condition) return !deepEqual(attribute(item, condition.ne[0]), condition.ne[1]);
  if ('lt' in condition) return compares(item, condition.lt, (sign) => sign < 0);
  if ('le' in condition) return compares(item, condition.le, (sign) => sign <= 0);
  if ('gt' in condition) return compares(item, condition.gt, (sign) => sign > 0);
  return compares(item, condition.ge, (sign) => sign >= 0);
}

/** Compares UTF-8 bytes, as DynamoDB does. JavaScript compares UTF-16 units, which puts 😀 before U+E000. */
export const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compares(
  item: Item | undefined,
  [name, other]: readonly [string, Json],
  holds: (sign: number) => boolean,
): boolean {
  const value = attribute(item, name);
  if (typeof value === 'string' && typeof other === 'string') return holds(compareText(value, other));
  return typeof value === 'number' && typeof other === 'number' && holds(value - other);
}

function deepEqual(a: Json | undefined, b: Json): boolean {
  if (a === undefined || a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (isList(a) || isList(b))
    return isList(a) && isList(b) && a.length === b.length && a.every((element, i) => deepEqual(element, b[i] as Json));
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && deepEqual(a[name], b[name] as Json))
  );
}

const attribute = (item: Item | undefined, name: string): Json | undefined =>
  item && Object.hasOwn(item, name) ? item[name] : undefined;

function countTerms(condition: Condition): number {
  const [[operator, operand] = ['', undefined], second] = Object.entries(condition);
  ensure(second === undefined && OPERATORS.has(operator), 'A condition is one known operator.');
  if (operator === 'all' || operator === 'any') {
    ensure(Array.isArray(operand) && operand.length > 0, 'A condition needs at least one part.');
    return operand.reduce((sum: number, part: Condition) => sum + countTerms(part), 0);
  }
  checkTerm(operator, operand);
  return 1;
}

function checkTerm(operator: string, operand: unknown): void {
  if (operator === 'exists' || operator === 'absent') {
    checkName(operand);
    return;
  }
  ensure(Array.isArray(operand) && operand.length === 2, 'A comparison has a name and a value.');
  const [name, value] = operand;
  checkName(name);
  checkValue(name, value);
  ensure(
    !ORDERING.has(operator) || typeof value === 'string' || typeof value === 'number',
    'Only numbers and texts have an order.',
  );
}

function attributesOf(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(attributesOf);
  if ('any' in condition) return condition.any.flatMap(attributesOf);
  return Object.values(condition).map((operand) => (typeof operand === 'string' ? operand : operand[0]));
}
