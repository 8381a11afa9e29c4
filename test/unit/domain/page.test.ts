import { describe, expect, it } from 'vitest';
import { pageOf } from '#shared/domain/reference/page.rules.ts';

const things = ['c', 'e', 'a', 'd', 'b'];
const page = (where: { readonly limit: number; readonly offset: number; readonly cursor?: string }, list = things) =>
  pageOf(list, where, (thing) => thing);

describe('a page', () => {
  it('starts with the newest item and has the total', () => {
    expect(page({ limit: 2, offset: 0 })).toEqual({
      items: ['e', 'd'],
      total: 5,
      next: 'd',
    });
  });

  it('skips its offset', () => expect(page({ limit: 2, offset: 3 }).items).toEqual(['b', 'a']));

  it('has no next cursor at the end', () => expect(page({ limit: 2, offset: 3 }).next).toBeUndefined());

  it('continues after a cursor', () =>
    expect(page({ limit: 2, offset: 0, cursor: 'd' })).toMatchObject({
      items: ['c', 'b'],
      next: 'b',
      total: 5,
    }));

  it('continues after a cursor whose item was deleted', () => {
    const left = things.filter((thing) => thing !== 'd');
    expect(page({ limit: 2, offset: 0, cursor: 'd' }, left).items).toEqual(['c', 'b']);
  });

  it('ends where the response would be too large, counting escaped quotes, and continues from there', () => {
    const large = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, text: '"'.repeat(300_000) }));
    const pageFrom = (cursor?: string) =>
      pageOf(large, { limit: 200, offset: 0, ...(cursor && { cursor }) }, ({ id }) => id);
    const first = pageFrom();
    expect([first.items.map(({ id }) => id), first.next]).toEqual([['f', 'e', 'd', 'c'], 'c']);
    expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: JSON.stringify(first.items) }))).toBeLessThan(
      6_000_000,
    );
    expect([pageFrom(first.next).items.map(({ id }) => id), pageFrom(first.next).next]).toEqual([
      ['b', 'a'],
      undefined,
    ]);
    expect(pageOf(large, { limit: 200, offset: 3 }, ({ id }) => id).next).toBeUndefined();
  });

  it('can be empty', () => expect(page({ limit: 2, offset: 9 })).toMatchObject({ items: [], next: undefined }));
});
