import { describe, expect, it } from 'vitest';
import { callTool } from '#functions/mcp/call-tool.ts';
import type { Tool } from '#functions/mcp/tools.ts';
import { ownApi } from '#shared/adapters/net/own-api.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';

const tool = (changes: boolean): Tool => ({
  name: 'refundPayment',
  description: 'Refund a payment.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  call: {
    method: changes ? 'POST' : 'GET',
    path: '/v1/payments/{id}/refund',
    pathNames: ['id'],
    queryNames: [],
    hasBody: changes,
    scope: 'payments:write',
    changes,
    isList: false,
  },
});

/** Nothing listens there. */
const NOWHERE = { key: new Secret('sk'), actorId: undefined, ownApi: ownApi('http://127.0.0.1:1') };

describe('a tool whose call gets no answer', () => {
  it('tells an agent to send the same again, with the same key: another one may do it twice', async () => {
    const { isError, structuredContent } = await callTool(tool(true), { id: 'pay_x', idempotency_key: 'k' }, NOWHERE);
    expect([isError, structuredContent?.code]).toEqual([true, 'service_unavailable']);
    expect(structuredContent?.message).toContain('with the same idempotency_key');
  });

  it('says so where it only reads', async () => {
    const { isError, structuredContent } = await callTool(tool(false), { id: 'pay_x' }, NOWHERE);
    expect([isError, structuredContent?.message]).toEqual([true, 'No answer came. Try again.']);
  });
});
