import { afterAll, beforeAll, expect, it } from 'vitest';
import { packReference } from '#lib/reference/pack-reference.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { bodyText, type PackedFunction, packedFunction } from '#test/support/packed-function.ts';

let packed: PackedFunction;
beforeAll(async () => {
  packed = await packedFunction('reference', packReference);
}, 60_000);
afterAll(() => packed?.remove());

it('on AWS the function serves every kind of file from its own package, with the address and the stage of its host', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const page = (path: string) => apiEvent('GET /docs/{path+}', { params: { path }, headers });
  const [start, errors, markdown, list, missing] = await packed.invoke([
    apiEvent('GET /docs', { headers }),
    page('errors'),
    page('errors.md'),
    apiEvent('GET /llms.txt', { headers }),
    page('none'),
  ]);
  for (const each of [start, errors, markdown, list])
    expect([each?.statusCode, each?.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(missing?.statusCode).toBe(404);
  const html = bodyText(start!);
  expect(html).toContain('curl</span> <span class="c-string">&quot;https://api.example.com/v1/payments');
  expect(html).toContain('<meta name="payfork-stage" content="live">');
  expect(html).toContain('<meta name="payfork-control" content="">');
  expect(start?.headers['content-security-policy']).toContain("connect-src 'self';");
  expect(bodyText(errors!)).toContain('id="idempotency_in_progress"');
  expect(bodyText(list!)).toContain('](https://api.example.com/docs/errors.md)');
  expect(bodyText(markdown!)).toMatch(/^# Errors\n/);
});

it('the names in the page are those of files in the package', async () => {
  const [start] = await packed.invoke([apiEvent('GET /docs')]);
  const names = [...bodyText(start!).matchAll(/"\/docs\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(names).toHaveLength(3);
  const files = await packed.invoke(names.map((path) => apiEvent('GET /docs/{path+}', { params: { path } })));
  for (const { statusCode, headers } of files)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
});
