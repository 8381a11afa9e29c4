import { describe, expect, it } from 'vitest';
import { dashboardRoutes } from '#functions/dashboard/dashboard.routes.ts';
import { type DashboardContent, dashboardFiles } from '#shared/adapters/dashboard/dashboard-files.adapter.ts';
import { statelessRouter } from '#shared/http/router.ts';
import { DashboardBroken } from '#shared/ports/dashboard-files.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { aContext, apiEvent } from '#test/support/aws-events.ts';
import { stoppedClock } from '#test/support/stopped-clock.ts';

const CONTENT: DashboardContent = {
  page: Buffer.from('<!doctype html><title>A page</title>'),
  assets: new Map([['main-ABCDEFGH.js', Buffer.from('console.log(1);')]]),
};

/** The function over loads that end one after the other as the test says. */
function aFunction(...loads: readonly (() => DashboardContent)[]) {
  const logged: string[] = [];
  const log: LogPort = { info: () => {}, warn: () => {}, error: (event) => void logged.push(event) };
  let count = 0;
  const files = dashboardFiles(async () => (loads[count++] ?? (() => expect.fail('It loaded once more.')))());
  const handler = statelessRouter(dashboardRoutes, {
    clock: stoppedClock(),
    log,
    config: { apiUrl: 'https://api.example' },
    dashboardFiles: files,
  });
  const get = async (routeKey: string, params?: Record<string, string>) => {
    const {
      statusCode,
      headers = {},
      body = '',
      isBase64Encoded,
    } = await handler(apiEvent(routeKey, params ? { params } : {}), aContext());
    return { status: statusCode, headers, text: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() };
  };
  return { get, logged, loads: () => count };
}

const broken = (message: string) => (): never => {
  throw new DashboardBroken(message);
};

describe('the function of the dashboard', () => {
  it('loads the files at the first request, and keeps them', async () => {
    const { get, loads } = aFunction(() => CONTENT);
    expect(loads()).toBe(0);
    const replies = [
      await get('GET /dashboard'),
      await get('GET /dashboard/{path+}', { path: 'payments' }),
      await get('GET /dashboard/{path+}', { path: 'assets/main-ABCDEFGH.js' }),
    ];
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [200, CONTENT.page.toString()],
      [200, CONTENT.page.toString()],
      [200, 'console.log(1);'],
    ]);
    expect(loads()).toBe(1);
  });

  it('says on its page why the dashboard could not be built, logs it, and tries again with the next visit', async () => {
    const { get, logged } = aFunction(broken('main.tsx:3:7: Expected "<" & more'), () => CONTENT);
    const failed = await get('GET /dashboard');
    expect([failed.status, failed.headers['content-type'], failed.headers['cache-control']]).toEqual([
      503,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(failed.text).toContain('<pre>main.tsx:3:7: Expected &quot;&lt;&quot; &amp; more</pre>');
    expect(logged).toEqual(['dashboard_broken']);
    expect((await get('GET /dashboard')).status).toBe(200);
  });

  it('tells nobody the path of a file that it cannot read', async () => {
    const { get } = aFunction(() => {
      throw new Error("ENOENT: no such file or directory, open '/var/task/dashboard/index.html'");
    });
    const { status, text } = await get('GET /dashboard');
    expect([status, text.includes('/var/task')]).toEqual([500, false]);
  });

  it('allows its page to call nothing but its own origin, where there is no control server', async () => {
    const { headers } = await aFunction(() => CONTENT).get('GET /dashboard');
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
  });
});
