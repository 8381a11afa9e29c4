import { describe, expect, it } from 'vitest';
import { routeMatcher } from '#shared/http/route-match.ts';

const at = (method: string, path: string) => ({ method, path });
const LINES = [
  at('OPTIONS', '/{proxy+}'),
  at('GET', '/a/{id}'),
  at('GET', '/a/all'),
  at('GET', '/a/{rest+}'),
  at('GET', '/a/{id}/b'),
  at('POST', '/a/{id}'),
];

describe('the route of a request', () => {
  const match = routeMatcher(LINES);

  it.each([
    ['to a fixed path', 'GET /a/all', '/a/all', undefined],
    ['to a resource', 'GET /a/7', '/a/{id}', { id: '7' }],
    ['to a part of a resource', 'GET /a/7/b', '/a/{id}/b', { id: '7' }],
    ['to a wildcard path', 'GET /a/7/c/d', '/a/{rest+}', { rest: '7/c/d' }],
    ['with any method', 'OPTIONS /a/7/b', '/{proxy+}', { proxy: 'a/7/b' }],
    ['to a path with a trailing slash', 'OPTIONS /a/', '/{proxy+}', { proxy: 'a/' }],
    ['with an encoded slash', 'OPTIONS /a/x%2Fy', '/{proxy+}', { proxy: 'a/x/y' }],
  ])('%s is found', (_, request, path, params) => {
    const [method = '', asked = ''] = request.split(' ');
    const found = match(method, asked);
    expect([found?.line.path, found?.params]).toEqual([path, params]);
  });

  it.each(['OPTIONS /', 'GET /a', 'GET /a/', 'POST /a/7/b', 'GET /b/7'])('%s is not found', (request) => {
    const [method = '', asked = ''] = request.split(' ');
    expect(match(method, asked)).toBeUndefined();
  });
});
