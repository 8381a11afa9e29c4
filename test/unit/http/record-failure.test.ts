import { describe, expect, it } from 'vitest';
import { recordFailure } from '#shared/http/record-failure.ts';
import type { ApiEvent, RequestState } from '#shared/http/request.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

const AT = new Date('2026-05-01T10:00:00Z');
const EVENT = { requestContext: { http: { method: 'GET' } } } as unknown as ApiEvent;
const STATE = {
  requestId: newId('request', AT),
  at: AT,
  route: { path: '/v1/payments' },
  credential: { id: newId('key', AT), orgId: newId('organization', AT), kind: 'secret', scopes: [] },
} as unknown as RequestState;

function aLog() {
  const lines: unknown[][] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  return { lines, log: { info: write, warn: write, error: write } as unknown as LogPort };
}

describe('recording a failed request', () => {
  it('does not fail the response where it cannot be stored, and says so in the log', async () => {
    const { lines, log } = aLog();
    const broken = () => Promise.resolve({ record: () => Promise.reject(new Error('The table is gone.')) });
    const response = { statusCode: 404, body: '{"code":"not_found"}' };
    await expect(recordFailure(EVENT, STATE, response, { failureLog: broken, log })).resolves.toBeUndefined();
    expect(lines).toEqual([['failed_request_not_recorded', { error: new Error('The table is gone.') }]]);
  });

  it.each([
    ['the store that would keep it has failed', '{"code":"service_unavailable"}'],
    ['its user must prove again who they are', '{"code":"fresh_proof_required"}'],
    ['it has no code', '{}'],
  ])('writes nothing where %s', async (_, body) => {
    const { log } = aLog();
    const recorded: unknown[] = [];
    const failureLog = async () => ({ record: async (...args: unknown[]) => void recorded.push(args) });
    await recordFailure(EVENT, STATE, { statusCode: 503, body }, { failureLog, log });
    expect(recorded).toEqual([]);
  });
});
