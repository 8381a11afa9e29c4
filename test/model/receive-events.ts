import { expect } from 'vitest';
import type { TestHost, TestOrganization } from '#test/support/host.ts';

/** All events of the organization go to an endpoint of the control server with its name. */
export async function receiveEvents(host: TestHost, { org_id, key }: TestOrganization): Promise<void> {
  const url = `${host.controlUrl}/receiver/${org_id}/hook`;
  const answer = await host.call('POST', '/v1/webhooks/config', { url, events: ['*'] }, { key });
  expect(answer.status, answer.text).toBe(200);
}
