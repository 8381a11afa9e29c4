import { afterAll, beforeAll, expect, it } from 'vitest';
import { packDashboard } from '#lib/dashboard/pack-dashboard.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { bodyText, type PackedFunction, packedFunction } from '#test/support/packed-function.ts';

let packed: PackedFunction;
beforeAll(async () => {
  packed = await packedFunction('dashboard', packDashboard);
}, 60_000);
afterAll(() => packed?.remove());

it('on AWS the function serves the page and all that it names from its own package', async () => {
  const [page] = await packed.invoke([apiEvent('GET /dashboard')]);
  expect([page?.statusCode, page?.headers['content-security-policy']]).toEqual([
    200,
    expect.stringContaining("connect-src 'self';"),
  ]);
  const html = bodyText(page!);
  expect(html).not.toContain('payfork-control');
  const names = [...html.matchAll(/(?:src|href)="[/]dashboard[/]([^"]+)"/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(1);
  const headers = { 'accept-encoding': 'gzip' };
  const files = await packed.invoke(
    names.map((path) => apiEvent('GET /dashboard/{path+}', { headers, params: { path } })),
  );
  for (const file of files) {
    expect([file.statusCode, file.headers['content-encoding'], file.headers['cache-control']]).toEqual([
      200,
      'gzip',
      'public, max-age=31536000, immutable',
    ]);
    expect(bodyText(file).length).toBeGreaterThan(100);
  }
});
