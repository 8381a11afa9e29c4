import { expect, it } from 'vitest';
import { OURS } from '#test/http/bad-input.support.ts';

const CHANGES = OURS.flatMap(({ method, path, body }) => (method === 'PATCH' && body ? [{ path, body }] : []));

it('an empty PATCH is rejected only where the endpoint changes one single field', () => {
  const refusing = CHANGES.filter(({ body }) => !body.safeParse({}).success);
  expect(refusing.map(({ path }) => path)).toEqual([
    '/v1/organization/agent-limits',
    '/v1/connections/{id}/labels',
    '/v1/connections/{id}/status',
  ]);
  expect(CHANGES.length).toBeGreaterThan(7);
});
