import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressResponse } from '#shared/http/compress-response.ts';
import { type ApiResult, begunOf, startState, traced } from '#shared/http/request.ts';
import type { Route } from '#shared/http/route.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { acceptsGzip, unzipped } from '#shared/kernel/gzip.ts';
import { apiEvent } from '#test/support/aws-events.ts';

describe('a caller', () => {
  it.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, GZIP;q=0.8', true],
    ['x-gzip', true],
    ['*', true],
    ['*;q=0.1, identity;q=0', true],
    ['gzip;q=0.5, identity;q=0.5', true],
    [undefined, false],
    ['', false],
    ['br, deflate', false],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*, gzip;q=0', false],
    ['gzip;q=0.5, identity;q=1', false],
    ['gzip;q=many', false],
  ])('that accepts %j gets gzip: %s', (accepted, expected) => {
    expect(acceptsGzip(accepted)).toBe(expected);
  });
});

describe('compressed bytes', () => {
  const MAX = 64 * 1024;

  it('are decompressed up to the limit, in one piece or in several', async () => {
    const most = Buffer.alloc(MAX, 'x');
    expect(await unzipped(gzipSync(most), MAX)).toEqual(most);
    const halves = [gzipSync(most.subarray(0, MAX / 2)), gzipSync(most.subarray(MAX / 2))];
    expect(await unzipped(Buffer.concat(halves), MAX)).toEqual(most);
  });

  it.each([
    ['one byte too many', 'too_large', gzipSync(Buffer.alloc(MAX + 1))],
    ['a bomb in two pieces', 'too_large', Buffer.concat([gzipSync('{'), gzipSync(Buffer.alloc(MAX))])],
    ['an end that is missing', 'broken', gzipSync('{"amount":1}').subarray(0, -4)],
    ['something after the end', 'broken', Buffer.concat([gzipSync('{}'), Buffer.from('{}')])],
    ['no gzip at all', 'broken', Buffer.from('{}')],
  ])('with %s are %s', async (_, fault, bytes) => {
    expect(await unzipped(bytes, MAX)).toBe(fault);
  });

  it('are not decompressed beyond the limit: a bomb of 64 MB takes no more memory than a small body', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const before = process.memoryUsage.rss();
    expect(await unzipped(bomb, MAX)).toBe('too_large');
    expect(process.memoryUsage.rss() - before).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a compressed response', () => {
  const RESULT = { statusCode: 200, headers: { etag: '"v1"', vary: 'origin' }, body: 'x'.repeat(5_000) };

  it('has a weak tag, as its bytes are others, and keeps what else it varies by', async () => {
    const { headers, body = '', ...rest } = await compressResponse('gzip', RESULT);
    expect(headers).toEqual({ etag: 'W/"v1"', vary: 'origin, accept-encoding', 'content-encoding': 'gzip' });
    expect([rest, gunzipSync(Buffer.from(body, 'base64')).toString()]).toEqual([
      { statusCode: 200, isBase64Encoded: true },
      RESULT.body,
    ]);
  });

  it('stays as it was for a caller who does not accept gzip, but for what it varies by', async () => {
    const plain = await compressResponse('br', RESULT);
    expect(plain).toEqual({ ...RESULT, headers: { etag: '"v1"', vary: 'origin, accept-encoding' } });
  });

  it('is compressed once', async () => {
    const once = { ...RESULT, headers: { 'content-encoding': 'br' } };
    expect(await compressResponse('gzip', once)).toBe(once);
  });
});

describe('a large answer that hands out a secret', () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const body = JSON.stringify({ key: 'x'.repeat(5_000) });
  const encodingOf = async (result: ApiResult, secretResponse = false) => {
    const event = apiEvent('POST /v1/api-keys', { headers: { 'accept-encoding': 'gzip' } });
    const handler = traced(
      async () => {
        startState(event, { ...begunOf(event), route: { secretResponse } as Route });
        return result;
      },
      { clock: systemClock, log },
    );
    return (await handler(event, {})).headers?.['content-encoding'];
  };

  it('is not compressed, and neither is one with a cookie: its size would tell of the secret', async () => {
    expect(await encodingOf({ statusCode: 200, body })).toBe('gzip');
    expect(await encodingOf({ statusCode: 200, body }, true)).toBeUndefined();
    expect(await encodingOf({ statusCode: 200, body, cookies: ['session=x'] })).toBeUndefined();
  });
});
