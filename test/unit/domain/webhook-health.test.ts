import { describe, expect, it } from 'vitest';
import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { RETRY_DELAYS } from '#shared/domain/webhooks/delivery.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import {
  type DisabledConfig,
  disableConfig,
  healthChange,
  isDisabledBy,
  isReplayable,
  missedSince,
} from '#shared/domain/webhooks/webhook-health.rules.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const well: WebhookConfig = {
  org_id: 'org_1',
  url: 'https://shop.example/hook',
  events: ['payment.created'],
  enabled: true,
  sealed_secret: 'sealed',
  version: 3,
  audits: 2,
  created_at: START.toISOString(),
  updated_at: START.toISOString(),
};
const failing: WebhookConfig = { ...well, failing_since: START.toISOString() };
const attempt = (status_code: number | null, at: Date): EventAttempt => ({
  at: at.toISOString(),
  status_code,
  duration_ms: 1,
  error: null,
});

describe('the effect of an attempt on the health of its endpoint', () => {
  const tried = (tries: number, status: EventRecord['status'] = 'pending') => ({ status, tries });
  const off = (reason: 'gone' | 'failing') => ({ is: 'off', reason }) as const;
  const isFailing = { is: 'failing', field: 'failing_since' } as const;
  it.each([
    ['nothing when a healthy endpoint accepts the event', well, 200, DAY, tried(1), undefined],
    ['nothing when an event fails for the first time', well, 500, DAY, tried(0), undefined],
    ['failing when an event fails again', well, 500, DAY, tried(1), isFailing],
    ['failing when the endpoint does not respond', well, null, DAY, tried(1), isFailing],
    [
      'failing when only replays had failed before',
      { ...well, replays_failing_since: START.toISOString() },
      500,
      DAY,
      tried(1),
      isFailing,
    ],
    ['failing when the endpoint redirects', well, 301, DAY, tried(1), isFailing],
    ['nothing when it is already failing', failing, 500, 5 * DAY - 1, tried(8), undefined],
    ['recovery when it accepts an event', failing, 204, DAY, tried(0), { is: 'back' }],
    ['recovery even after more than five days', failing, 200, 6 * DAY, tried(4), { is: 'back' }],
    ['disabling after five days, at the fifth attempt of an event', failing, 500, 5 * DAY, tried(4), off('failing')],
    ['disabling at every attempt after the fifth', failing, 500, 50 * DAY, tried(8), off('failing')],
    ['nothing at the fourth attempt of an event', failing, 500, 50 * DAY, tried(3), undefined],
    ['disabling when the endpoint answers 410', well, 410, 0, tried(0), off('gone')],
    ['disabling when a failing endpoint answers 410', failing, 410, 6 * DAY, tried(9, 'failed'), off('gone')],
  ] as const)('is %s', (_, receiver, status, ms, event, news) =>
    expect(healthChange(receiver, attempt(status, later(ms)), event, false)).toEqual(news),
  );

  const replaysFail: WebhookConfig = { ...well, replays_failing_since: START.toISOString() };
  it.each([
    ['nothing when the endpoint accepts the event', well, 200, tried(1, 'failed'), undefined],
    ['nothing when the endpoint fails an event that it accepted before', well, 409, tried(1, 'delivered'), undefined],
    ['nothing when the endpoint fails an event that was never sent to it', well, 500, tried(0, 'skipped'), undefined],
    [
      'failing replays when a failed event fails again',
      well,
      500,
      tried(9, 'failed'),
      { is: 'failing', field: 'replays_failing_since' },
    ],
    [
      'failing replays when a pending event fails in between',
      well,
      500,
      tried(4),
      { is: 'failing', field: 'replays_failing_since' },
    ],
    ['nothing when replays are already failing', replaysFail, 500, tried(9, 'failed'), undefined],
    ['nothing when scheduled attempts have failed for more than five days', failing, 500, tried(4), undefined],
    ['recovery when replays had failed', replaysFail, 200, tried(9, 'failed'), { is: 'back' }],
    ['disabling when the endpoint answers 410', well, 410, tried(9, 'failed'), off('gone')],
  ] as const)('by a replay is %s', (_, receiver, status, event, news) =>
    expect(healthChange(receiver, attempt(status, later(50 * DAY)), event, true)).toEqual(news),
  );
});

describe('a webhook endpoint that a member disabled', () => {
  const off = { ...well, enabled: false };
  it.each([
    ['can be sent events again that it failed before', off, { type: 'payment.created', tries: 1 }, true],
    ['cannot be sent events that were never sent to it', off, { type: 'payment.created', tries: 0 }, false],
    ['cannot be sent events that it no longer subscribes to', off, { type: 'payment.failed', tries: 1 }, false],
  ] as const)('%s', (_, receiver, event, owed) => expect(isReplayable(event as EventRecord, receiver)).toBe(owed));
});

describe('a webhook endpoint that was disabled automatically', () => {
  it('is the next version, with all other fields', () =>
    expect(disableConfig(failing, 'failing', later(6 * DAY))).toEqual({
      ...failing,
      enabled: false,
      disabled_at: later(6 * DAY).toISOString(),
      disabled_reason: 'failing',
      version: 4,
      audits: 3,
      updated_at: later(6 * DAY).toISOString(),
    }));

  const off = disableConfig(well, 'gone', START);
  it.each([
    ['can be sent events that it subscribed to', off, 'payment.created', true],
    ['can be sent test events', off, 'service.webhook.test', true],
    ['cannot be sent other events', off, 'payment.failed', false],
    [
      'cannot be sent events once a member has disabled it',
      { ...off, disabled_reason: undefined },
      'payment.created',
      false,
    ],
  ] as const)('%s', (_, receiver, type, owed) => expect(isReplayable({ type } as EventRecord, receiver)).toBe(owed));

  const at = (ms: number) => ({ created_at: later(ms).toISOString() });
  it.each([
    ['is disabled by the entry that disabled it', off, at(0), true],
    ['is not disabled by an earlier entry', off, at(-1), false],
    [
      'is not disabled by the entry once a member has disabled it',
      { ...off, disabled_reason: undefined },
      at(0),
      false,
    ],
    ['is not disabled by the entry once it is enabled', well, at(0), false],
  ] as const)('%s', (_, receiver, entry, is) => expect(isDisabledBy(receiver, entry)).toBe(is));

  it.each([
    ['disabled at once', off, 0],
    ['disabled after failing for days', { ...off, failing_since: later(-5 * DAY).toISOString() }, -5 * DAY],
  ] as const)('may have missed events that were pending when it was %s', (_, receiver, ms) => {
    const before = later(ms).getTime() - missedSince(receiver as DisabledConfig).getTime();
    const longest = RETRY_DELAYS.reduce((sum, wait) => sum + 1.1 * wait, 0);
    expect([before > longest, before < longest + 6 * HOUR]).toEqual([true, true]);
  });

  it('cannot be sent events without a configuration', () =>
    expect(isReplayable({ type: 'payment.created' } as EventRecord, undefined)).toBe(false));
});
