import { describe, expect, it } from 'vitest';
import { causeOf, causesOf } from '#functions/payment-timeline/causes.rules.ts';
import { callbackEntries } from '#functions/payment-timeline/delivery-entries.rules.ts';
import type { PaymentAct } from '#shared/domain/payments/payment.model.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { newId } from '#shared/kernel/ids.ts';
import { START } from '#test/support/stopped-clock.ts';

const TRACE = `req_JKJaX-_vLHcESHA= ${'a'.repeat(32)}`;
const [key, user, run] = [newId('key', START), newId('user', START), newId('execution', START)];

describe('what a trace says of the cause', () => {
  it.each([
    ['a key', `${TRACE} ~${key}`, { type: 'api_key', id: key }],
    ['a member, after what the client calls its request', `${TRACE}-01 c:order-7 ~${user}`, { type: 'user', id: user }],
    ['a run of a workflow', `${TRACE} ~${run}`, { type: 'workflow_run', id: run }],
    ["a provider's callback", `${TRACE} ~provider`, { type: 'provider', id: null }],
    ['the customer', `${TRACE} ~customer`, { type: 'customer', id: null }],
    ['a timer', TRACE.replace('req_', 'run_'), { type: 'timer', id: null }],
    ['nothing, as in what an earlier release wrote', TRACE, null],
    ['nothing that it knows, as of a caller without a key', `${TRACE} ~anyone`, null],
    ['nothing at all', undefined, null],
  ])('is %s', (_, trace, cause) => expect(causeOf(trace)).toEqual(cause));
});

describe('the causes of events', () => {
  const event = (id: string, type: string, trace: string, data: object = {}): EventRecord =>
    ({ id, type, trace, created_at: START.toISOString(), data }) as unknown as EventRecord;
  const act = (type: PaymentAct['type'], made?: string): PaymentAct => ({
    type,
    at: START.toISOString(),
    by: user,
    ...(made !== undefined && { made }),
  });
  const by = { type: 'user', id: user };

  it('are those of the acts whose result they show, also for others of the same request', () => {
    const causes = causesOf(
      [
        event('evt_1', 'payment.captured', TRACE, { capture: { id: 'cap_1' } }),
        event('evt_2', 'payment.succeeded', TRACE),
        event('evt_3', 'payment.captured', TRACE.replace('HA=', 'HB='), { capture: { id: 'cap_2' } }),
      ],
      { acts: [act('capture', 'cap_1')] },
    );
    expect(Object.fromEntries(causes)).toEqual({ evt_1: by, evt_2: by });
  });

  it('are what the trace says, where a callback told the end of what was asked for', () => {
    const told = event('evt_1', 'payment.refunded', `${TRACE} ~provider`, { refund: { id: 're_1' } });
    expect(causesOf([told], { acts: [act('refund', 're_1')] }).get('evt_1')).toEqual({ type: 'provider', id: null });
  });

  it('are the cancel that came before', () => {
    const canceled = event('evt_1', 'payment.canceled', TRACE);
    expect(causesOf([canceled], { acts: [act('cancel')] }).get('evt_1')).toEqual(by);
    expect(causesOf([canceled], {}).size).toBe(0);
  });
});

describe('the callback behind an event', () => {
  const payment = {
    attempts: [
      { id: 'att_1', provider: 'stripe' },
      { id: 'att_2', provider: 'adyen' },
    ],
    provider: 'adyen',
  } as const;
  const callbacks = (data: object, trace = `${TRACE} ~provider`) =>
    callbackEntries(
      { id: 'evt_1', type: 'payment.failed', trace, created_at: START.toISOString(), data } as unknown as EventRecord,
      payment,
    );

  it.each<readonly [string, object, string]>([
    [
      'of the attempt, though the payment went on at another',
      { attempt: { id: 'att_1' }, provider: 'adyen' },
      'stripe',
    ],
    ['of the attempt that a refund gives back', { refund: { attempt_id: 'att_1' }, provider: 'adyen' }, 'stripe'],
    ['of the attempt that a capture takes from', { capture: { attempt_id: 'att_1' }, provider: 'adyen' }, 'stripe'],
    ['that the payment had then', { provider: 'stripe' }, 'stripe'],
    ['that the payment has now, where the event does not say', {}, 'adyen'],
  ])('is of the provider %s', (_, data, provider) => {
    expect(callbacks(data)).toMatchObject([{ kind: 'callback', provider }]);
  });

  it('is none where no callback has caused the event', () => expect(callbacks({}, TRACE)).toEqual([]));
});
