import { describe, expect, it } from 'vitest';
import type { AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import {
  approvalStatus,
  assertMayDecide,
  assertOpen,
  dailyLimit,
  isOver,
} from '#shared/domain/accounts/agent.rules.ts';

const NOON = new Date('2026-05-01T12:00:00Z');
const NEXT_NOON = new Date('2026-05-02T12:00:00Z');

const asked = (more: Partial<AgentRequest> = {}): AgentRequest => ({
  id: 'apr_x',
  org_id: 'org_x',
  key_id: 'key_x',
  agent_name: null,
  request: 'v2:hash',
  operation: 'POST /v1/payments',
  scope: 'payments:write',
  resource_id: null,
  amount: 100,
  currency: 'EUR',
  customer_id: null,
  description: null,
  terms: {},
  status: 'pending',
  created_at: NOON.toISOString(),
  expires_at: NEXT_NOON.toISOString(),
  decided_by: null,
  decided_at: null,
  used_at: null,
  ...more,
});

describe('a request of an agent', () => {
  it.each([
    ['waits until it expires', asked(), NOON, 'pending'],
    ['has expired a day later, to the millisecond', asked(), NEXT_NOON, 'expired'],
    ['is approved until it expires', asked({ status: 'approved' }), NOON, 'approved'],
    ['has expired if nobody repeated it', asked({ status: 'approved' }), NEXT_NOON, 'expired'],
    ['stays rejected', asked({ status: 'rejected' }), NEXT_NOON, 'rejected'],
    ['stays used', asked({ status: 'approved', used_at: NOON.toISOString() }), NEXT_NOON, 'used'],
  ] as const)('%s', (_, request, at, status) => expect(approvalStatus(request, at)).toBe(status));

  it('can be decided only while it waits, and the refusal says why', () => {
    expect(() => assertOpen(asked(), NOON)).not.toThrow();
    expect(() => assertOpen(asked(), NEXT_NOON)).toThrow('This request has expired. Nothing was changed.');
    expect(() => assertOpen(asked({ status: 'rejected' }), NOON)).toThrow('This request is rejected already.');
    expect(isOver(asked(), NOON)).toBe(false);
  });

  it('is decided by who may do the same', () => {
    expect(() => assertMayDecide(asked(), ['payments:write'])).not.toThrow();
    expect(() => assertMayDecide(asked(), ['payments:read', 'invoices:write'])).toThrow('payments:write');
  });
});

describe('the limit of a day', () => {
  it.each([
    ['is that of its currency', { EUR: 500, USD: 7 }, { amount: 1, currency: 'EUR' }, 500],
    ['may be nothing', { EUR: 0 }, { amount: 1, currency: 'EUR' }, 0],
    [
      'is missing for another currency, so that a person is asked',
      { USD: 7 },
      { amount: 1, currency: 'EUR' },
      undefined,
    ],
    ['is missing for an amount that nobody knows', { EUR: 500 }, null, undefined],
    ['is missing for what goes on charging', { EUR: 500 }, { amount: 1, currency: 'EUR', asks: true }, undefined],
  ] as const)('%s', (_, limits, moved, limit) => expect(dailyLimit(limits, moved)).toBe(limit));
});
