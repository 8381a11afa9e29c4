import { compareText } from '#shared/store/table/condition.rules.ts';
import { checkKeyText, checkPageQuery, ensure, invalidCall } from '#shared/store/table/item.rules.ts';
import type { Cursor, PageQuery, Range } from '#shared/store/table/table.port.ts';

/** A sort key between two bounds, which covers every kind of range. */
type Bounds = { readonly from?: Bound; readonly to?: Bound };
type Bound = { readonly value: string; readonly inclusive: boolean };

export function boundsOf(range: Range | undefined): Bounds {
  if (!range) return {};
  if ('ge' in range) return { from: { value: range.ge, inclusive: true } };
  if ('gt' in range) return { from: { value: range.gt, inclusive: false } };
  if ('le' in range) return { to: { value: range.le, inclusive: true } };
  if ('lt' in range) return { to: { value: range.lt, inclusive: false } };
  if ('between' in range)
    return { from: { value: range.between[0], inclusive: true }, to: { value: range.between[1], inclusive: true } };
  const end = afterPrefix(range.prefix);
  return {
    from: { value: range.prefix, inclusive: true },
    to: end === undefined ? undefined : { value: end, inclusive: false },
  };
}

/** The first text after all with this prefix. Code points sort like their UTF-8 bytes. */
function afterPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point < 0x10ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

/** A cursor holds the partition and the last entry read: `[partition, at, …]`. Both engines use the same. */
export const cursorAt = (parts: readonly string[]): Cursor => Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * Validates the query, and returns the cursor's parts after the partition: one text for the table, three for an index.
 */
export function readPageQuery(where: PageQuery, parts: 1 | 3): readonly string[] | undefined {
  checkPageQuery(where);
  checkRange(where.range);
  if (where.after === undefined) return undefined;
  const [partition, ...last] = parseCursor(where.after);
  ensure(partition === where.pk && last.length === parts, 'The cursor belongs to another query.');
  ensure(within(boundsOf(where.range), last[0] ?? ''), 'The cursor lies outside the range.');
  return last;
}

function parseCursor(cursor: Cursor): readonly string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts) && parts.every((part) => typeof part === 'string' && part !== '')) return parts;
  } catch {
    // Invalid JSON fails like a cursor of another shape.
  }
  throw invalidCall('The cursor is invalid.');
}

function checkRange(range: Range | undefined): void {
  if (!range) return;
  ensure(Object.keys(range).length === 1, 'A range is one bound, a prefix or a between.');
  for (const bound of Object.values(range).flat()) checkKeyText('a bound', bound);
  if ('between' in range)
    ensure(compareText(range.between[0], range.between[1]) <= 0, 'A between ends before it begins.');
}

function within({ from, to }: Bounds, at: string): boolean {
  const low = from ? compareText(at, from.value) : 1;
  const high = to ? compareText(at, to.value) : -1;
  return (low > 0 || (low === 0 && !!from?.inclusive)) && (high < 0 || (high === 0 && !!to?.inclusive));
}
