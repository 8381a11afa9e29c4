import { describe, expect, it } from 'vitest';
import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { rawHandler } from '#shared/http/raw-handler.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { providerOf } from '#shared/psp/providers.ts';
import { recordAttempt } from '#shared/services/webhooks/record-attempt.service.ts';
import { changesIn } from '#shared/store/changes.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { aContext, apiEvent } from '#test/support/aws-events.ts';
import { aPayment, ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START, stoppedClock } from '#test/support/stopped-clock.ts';

/** Dependencies that a use case does not name are absent. */
const told = async (work: (deps: Deps) => Promise<unknown>, parts: object = {}): Promise<readonly unknown[]> => {
  const lines: unknown[] = [];
  const log: LogPort = { info: (event, fields) => void lines.push([event, fields]), warn: () => {}, error: () => {} };
  await work({ clock: stoppedClock(), log, ...parts } as unknown as Deps);
  return lines;
};

describe('a sweep', () => {
  const item = (kind: DueEntry['kind'], minutes: number): DueEntry => ({
    kind,
    id: 'x',
    position: 'x',
    at: later(-minutes * MINUTE).toISOString(),
  });
  const swept = (byShard: Readonly<Record<string, readonly DueEntry[]>>) =>
    told(sweepDue, {
      due: {
        shards: Object.keys(byShard),
        shardsDue: async () => Object.keys(byShard),
        due: async (shard: string) => byShard[shard],
      },
      queue: { send: async () => undefined },
    });

  it('logs how long the oldest entry of each kind has been due', async () => {
    const found = {
      a: [item('payment', 3), item('event', 1), item('execution', 4)],
      b: [item('payment', 20), item('event', 2)],
    };
    const overdue = {
      payments_overdue_ms: 20 * MINUTE,
      events_overdue_ms: 2 * MINUTE,
      renewals_overdue_ms: 0,
      workflows_overdue_ms: 4 * MINUTE,
      background_overdue_ms: 4 * MINUTE,
    };
    expect(await swept(found)).toEqual([['due_found', overdue]]);
  });

  it('logs nothing if nothing is due', async () => expect(await swept({ a: [], b: [] })).toEqual([]));
});

describe('a batch of changes', () => {
  const change = (n: number, about = {}) => ({
    seq: String(n),
    key: { pk: 'x', sk: 'PAY' },
    new: paymentEntity.toItem(aPayment({ id: paymentId(n), status: 'canceled', attempts: [], ...about }), START),
  });
  const projected = (failing?: string) => (deps: Deps) => {
    const totals = {
      add: async ({ currency }: { readonly currency?: string }) =>
        failing !== undefined && currency === failing ? Promise.reject(new Error('down')) : { sums: {} },
      summarize: async () => undefined,
      held: async () => undefined,
      hold: async () => false,
    };
    return projectChanges({ id: 'shard' }, changesIn([change(1), change(2, { currency: 'GBP' }), change(3)]), {
      ...deps,
      totals: totals as never,
      config: { stage: 'sandbox' },
    });
  };
  it('logs the metrics of all processed changes', async () => expect(await told(projected())).toHaveLength(3));

  it('logs the metrics only of changes that are not delivered again', async () =>
    expect(await told(projected('GBP'))).toHaveLength(1));
});

describe('an attempt to deliver an event', () => {
  const stored = { id: 'evt_1', org_id: ORG, status: 'pending', attempts: [], tries: 0, data: { id: 'pay_1' } };
  const event = stored as never;
  const tried = (status_code: number, settled = true) =>
    told(
      (deps) =>
        recordAttempt(
          event,
          {
            attempt: { at: START.toISOString(), status_code, duration_ms: 12, error: null },
            retryAfter: undefined,
            lane: 'webhook-delivery',
            replay: false,
            ends: false,
          },
          deps,
        ),
      {
        events: {
          recordAttempt: async () => settled,
          recordReplay: async () => true,
          get: async () => ({ ...stored, tries: 1 }),
        },
        queue: { send: async () => undefined },
      },
    );

  it.each([
    [200, 'delivered'],
    [500, 'pending'],
  ])('with the response %s is logged with the outcome %s', async (code, outcome) =>
    expect(await tried(code)).toEqual([
      ['delivery_tried', { outcome, delivery_ms: 12, event_id: 'evt_1', resource_id: 'pay_1' }],
    ]),
  );

  it('that failed after another attempt is logged with the outcome of the other', async () =>
    expect(await tried(500, false)).toEqual([
      ['delivery_tried', { outcome: 'pending', delivery_ms: 12, event_id: 'evt_1', resource_id: 'pay_1' }],
    ]));
});

describe('a callback', () => {
  const received = (provider: string, error?: Error) =>
    told(
      (deps) => {
        const handler = rawHandler({ raw: async () => (error ? Promise.reject(error) : { status: 200 }) }, deps);
        return handler(apiEvent('POST /webhooks/{provider}', { params: { provider } }), aContext());
      },
      { psp: { adapter: providerOf }, config: { apiUrl: 'https://api.example' } },
    );

  const completed = (status: number) => ['request_completed', { route: 'POST /webhooks/{provider}', status }];

  it('that is accepted is logged with its status alone', async () =>
    expect(await received('stripe')).toEqual([completed(200)]));

  it.each([
    ['stripe', new AppError('invalid_signature', 'No.'), 401, { provider: 'stripe', code: 'invalid_signature' }],
    ['adyen', new Error('broken'), 500, { provider: 'adyen', code: 'internal_error' }],
    ['<script>', new AppError('not_found', 'No.'), 404, { provider: 'unknown', code: 'not_found' }],
  ])('of %s that is rejected is logged with its reason', async (provider, error, status, fields) =>
    expect(await received(provider, error)).toEqual([['callback_refused', fields], completed(status)]),
  );
});
