import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { get, list, post } from '#shared/http/route.ts';
import type { Caller } from '#shared/ports/caller.ts';

const scope = 'payments:read';
const Reply = z.object({ id: z.string() });
const Page = z.object({
  things: z.array(Reply),
  pagination: z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() }),
});
const CountedPage = z.object({
  things: z.array(Reply),
  pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
});
const Query = z.strictObject({ limit: z.number(), offset: z.number() });

const thing = async () => ({ id: 'thing_1', token: 'secret' });
const page = async () => ({ items: [{ id: 'thing_1' }], next: undefined });
const countedPage = async () => ({ items: [{ id: 'thing_1' }], next: undefined, total: 1 });

const common = { scope, summary: '', reply: Reply } as const;

/** Each line that must not compile is marked: TypeScript fails on a mark without an error. */
describe('a route line', () => {
  it('sets cookies from what the use case returns, even if the reply omits it', () => {
    const route = post('/things', { ...common, run: thing, cookies: ({ token }) => [token] });
    expect(route.cookies?.({ token: 'a=b' } as never)).toEqual(['a=b']);
    // @ts-expect-error the use case returns no `name`
    post('/things', { ...common, run: thing, cookies: ({ name }) => [name] });
  });

  it('has a Location only where the use case returns an id', () => {
    const nameless = { scope, summary: '', reply: z.object({}) } as const;
    expect(post('/things', { ...common, run: thing, location: '/things/{id}' }).location).toBe('/things/{id}');
    // @ts-expect-error there is no id
    post('/things', { ...nameless, run: async () => ({}), location: '/things/{id}' });
  });

  it('accepts only a use case that returns its reply', () => {
    // @ts-expect-error a number is not an id
    const route = get('/things', { scope, summary: '', reply: Reply, run: async () => ({ id: 1 }) });
    expect(route.method).toBe('GET');
  });

  it('accepts only a use case that accepts its input', () => {
    const run = async ({ limit }: { readonly limit: string }, _: Caller) => ({ id: limit });
    // @ts-expect-error the query has a number
    const route = get('/things', { scope, summary: '', query: Query, reply: Reply, run });
    expect(route.query).toBe(Query);
  });

  it('lets the use case claim the idempotency key only if that reports a repeat', () => {
    const run = async () => ({ ...(await thing()), replayed: true });
    // @ts-expect-error without `replayed`
    post('/things', { ...common, run: thing, idempotency: 'in_record' });
    expect(post('/things', { ...common, run, idempotency: 'in_record' }).idempotency).toBe('in_record');
  });

  it('lists only existing error codes', () => {
    // @ts-expect-error not a code
    const route = get('/things', { scope, summary: '', reply: Reply, run: thing, errors: ['no_such_code'] });
    expect(route.errors).toHaveLength(1);
  });
});

describe('a list line', () => {
  const things = { scope, summary: 'List things', query: Query } as const;

  it('names the field of the reply with the items', () => {
    expect(list('/things', { ...things, reply: Page, items: 'things', run: page }).list).toEqual({ items: 'things' });
    // @ts-expect-error there is no such field
    list('/things', { ...things, reply: Page, items: 'others', run: page });
    // @ts-expect-error the field is missing
    list('/things', { ...things, reply: Page, run: page });
  });

  it('replies with the bare array if no field is named', () => {
    expect(list('/things', { ...things, reply: z.array(Reply), run: page }).list).toEqual({ items: null });
    // @ts-expect-error not a page
    list('/things', { ...things, reply: z.array(Reply), run: thing });
  });

  it('requires a page with a total if the reply has one', () => {
    expect(list('/things', { ...things, reply: CountedPage, items: 'things', run: countedPage }).method).toBe('GET');
    // @ts-expect-error the page has no total
    list('/things', { ...things, reply: CountedPage, items: 'things', run: page });
  });
});
