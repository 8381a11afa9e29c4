import { describe, expect, it } from 'vitest';
import { begunOf, traced } from '#shared/http/request.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { currentWork, inTrace, logContext } from '#shared/kernel/operation.ts';
import { apiEvent } from '#test/support/aws-events.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The id of a request that the gateway calls so, and what its log lines say. */
async function named(requestId: unknown, headers: Readonly<Record<string, string>> = {}) {
  const event = apiEvent('GET /v1/payments', { headers });
  Object.assign(event.requestContext, { requestId });
  let names = {};
  const handler = traced(
    async () => {
      names = logContext();
      return { statusCode: 200 };
    },
    { clock: systemClock, log },
  );
  await handler(event, {});
  return { id: begunOf(event).requestId, names };
}

describe('the id of a request', () => {
  it.each([
    ['API Gateway', 'JKJaXmPLvHcESHA='],
    ['API Gateway, with the other characters of its alphabet', 'a-_b+c/dEFGH1234'],
    ['a function URL', '0b1e5a2c-93ad-4c55-8d0f-7a4b1f9be001'],
  ])('is that of %s, behind our prefix', async (_, gatewayId) => {
    const { id, names } = await named(gatewayId);
    expect(id).toBe(`req_${gatewayId}`);
    expect(names).toEqual({ request_id: id, trace_id: expect.any(String) });
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is too long for a record', 'a'.repeat(65)],
    ['would end a line', 'JKJaXmPLvHcESHA=\n'],
    ['would end a text', 'JKJaXmPL"vHcESHA'],
    ['has a space, which ends an id in a trace', 'JKJaXmPL vHcESHA'],
  ])('is a new one if that of the gateway %s, and its lines name both', async (_, gatewayId) => {
    const { id, names } = await named(gatewayId);
    expect(id).toMatch(/^req_[0-9a-z]{26}$/);
    expect(names).toEqual({ request_id: id, gateway_request_id: gatewayId, trace_id: expect.any(String) });
  });

  it('is never one that the caller chooses', async () => {
    const chosen = { 'x-request-id': 'req_mine', 'apigw-requestid': 'mine', 'x-amzn-requestid': 'mine' };
    expect((await named('JKJaXmPLvHcESHA=', chosen)).id).toBe('req_JKJaXmPLvHcESHA=');
  });
});

describe('what a record has stored of the work that wrote it', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const seen = (text: string) => inTrace(text, () => ({ ...logContext(), stored: currentWork.getStore()?.trace }));
  const names = { request_id: 'req_JKJaXmPLvHcESHA=', trace_id: TRACE };

  it.each([
    ['nothing more', '', {}],
    ['that the caller records the trace', '-01', {}],
    ['how the caller calls the request', ' c:order_4711', { client_request_id: 'order_4711' }],
    ['all of it, and what only later releases know', '-01 c:a-1 ~usr_1 more', { client_request_id: 'a-1' }],
    ['what only later releases know', ' ~provider', {}],
  ])('names it again, and is handed on as it is: %s', (_, more, own) => {
    const stored = `${names.request_id} ${TRACE}${more}`;
    expect(seen(stored)).toEqual({ ...names, ...own, stored });
  });

  it.each(['', 'req_x', `req_JKJaXmPLvHcESHA= ${TRACE.slice(1)}`, `req_JKJaXmPLvHcESHA= ${TRACE} `])(
    'is ignored where it is none: %j',
    (text) => {
      expect(seen(text)).toEqual({ stored: undefined });
    },
  );
});
