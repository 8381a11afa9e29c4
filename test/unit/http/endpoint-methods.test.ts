import { expect, it } from 'vitest';
import { methodsAt } from '#functions/openapi/documented-endpoints.ts';
import { ROUTES } from '#functions/route-table.ts';
import { methodsOf } from '#shared/http/route.ts';
import { methodsMatcher } from '#shared/http/route-match.ts';

const LINES = Object.values(ROUTES)
  .flat()
  .flatMap((route) => methodsOf(route).map((method) => ({ method, path: route.path })));
const addressOf = (path: string): string => path.replaceAll(/\{\w+\+\}/g, 'some/more').replaceAll(/\{\w+\}/g, 'one');
const ADDRESSES = [...new Set(LINES.map(({ path }) => addressOf(path)))].filter((path) => path !== '/some/more');

it.each(ADDRESSES)(
  'the function that knows the document finds the same methods at %s as the route table',
  async (path) => {
    const known = methodsMatcher(LINES)(path);
    expect(known.length).toBeGreaterThan(1);
    expect(await methodsAt(path)).toEqual(known);
  },
);

it.each(['/', '/v1', '/v1/payments/', '/v1/payments//cancel', '/webhooks', '/{proxy+}'])(
  'there is no method at %s, which preflights alone have',
  async (path) => {
    expect([await methodsAt(path), methodsMatcher(LINES)(path)]).toEqual([[], []]);
  },
);
