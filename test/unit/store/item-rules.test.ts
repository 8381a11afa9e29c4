import { describe, expect, it } from 'vitest';
import { itemSize, sizeBound } from '#shared/store/table/item.rules.ts';
import type { Json } from '#shared/store/table/table.port.ts';

describe('the bound of an item’s size', () => {
  it.each<[string, { readonly [name: string]: Json }]>([
    ['no attributes', {}],
    ['letters that take three bytes each', { name: '的'.repeat(100), 名: '字' }],
    ['characters of two UTF-16 units', { name: '😀'.repeat(100) }],
    [
      'numbers of all lengths',
      { a: 0, b: -1, c: 0.1, d: -1.7976931348623157e308, e: 5e-324, f: 9_007_199_254_740_991 },
    ],
    ['nested lists and maps', { a: [], b: {}, c: [[], [{}], [[[1]]]], d: { e: { f: { g: [null, true, false] } } } }],
    ['many short attributes', Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`a${n}`, n]))],
  ])('is never below it: %s', (_, item) => expect(sizeBound(item)).toBeGreaterThanOrEqual(itemSize(item)));
});
