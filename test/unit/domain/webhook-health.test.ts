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

describe('what a try says about its receiver', () => {
  const tried = (tries: number, status: EventRecord['status'] = 'pending') => ({ status, tries });
  const off = (reason: 'gone' | 'failing') => ({ is: 'off', reason }) as const;
  const isFailing = { is: 'failing', field: 'failing_since' } as const;
  it.each([
    ['nothing, where one that is well takes it', well, 200, DAY, tried(1), undefined],
    ['nothing, where an event fails for the first time', well, 500, DAY, tried(0), undefined],
    ['that it fails, where an event fails again', well, 500, DAY, tried(1), isFailing],
    ['that it fails, where it is silent', well, null, DAY, tried(1), isFailing],
    [
      'that it fails, where only replays had failed',
      { ...well, replays_failing_since: START.toISOString() },
      500,
      DAY,
      tried(1),
      isFailing,
    ],
    ['that it fails, where it sends us elsewhere', well, 301, DAY, tried(1), isFailing],
    ['nothing new, where it is known to fail', failing, 500, 5 * DAY - 1, tried(8), undefined],
    ['that it is back, where it takes one', failing, 204, DAY, tried(0), { is: 'back' }],
    ['that it is back, also after more than five days', failing, 200, 6 * DAY, tried(4), { is: 'back' }],
    [
      'that nobody is there, after five days and the fifth try of an event',
      failing,
      500,
      5 * DAY,
      tried(4),
      off('failing'),
    ],
    ['that nobody is there, with any try after the fifth', failing, 500, 50 * DAY, tried(8), off('failing')],
    ['nothing new, with the fourth try of an event', failing, 500, 50 * DAY, tried(3), undefined],
    ['that it is gone, where it says so', well, 410, 0, tried(0), off('gone')],
    ['that it is gone, where one that fails says so', failing, 410, 6 * DAY, tried(9, 'failed'), off('gone')],
  ] as const)('is %s', (_, receiver, status, ms, event, news) =>
    expect(healthChange(receiver, attempt(status, later(ms)), event, false)).toEqual(news),
  );

  const replaysFail: WebhookConfig = { ...well, replays_failing_since: START.toISOString() };
  it.each([
    ['nothing, where it takes it', well, 200, tried(1, 'failed'), undefined],
    ['nothing, where it refuses what it has taken before', well, 409, tried(1, 'delivered'), undefined],
    ['nothing, where it refuses what it was never sent', well, 500, tried(0, 'skipped'), undefined],
    [
      'that replays fail, where what was given up fails again',
      well,
      500,
      tried(9, 'failed'),
      { is: 'failing', field: 'replays_failing_since' },
    ],
    [
      'that replays fail, where one on its way fails in between',
      well,
      500,
      tried(4),
      { is: 'failing', field: 'replays_failing_since' },
    ],
    ['nothing new, where they are known to fail', replaysFail, 500, tried(9, 'failed'), undefined],
    ['nothing new, where planned tries fail for more than five days', failing, 500, tried(4), undefined],
    ['that it is back, where replays had failed', replaysFail, 200, tried(9, 'failed'), { is: 'back' }],
    ['that it is gone, where it says so', well, 410, tried(9, 'failed'), off('gone')],
  ] as const)('that somebody asked for is %s', (_, receiver, status, event, news) =>
    expect(healthChange(receiver, attempt(status, later(50 * DAY)), event, true)).toEqual(news),
  );
});

describe('a receiver that people have turned off', () => {
  const off = { ...well, enabled: false };
  it.each([
    ['is owed what it has refused before', off, { type: 'payment.created', tries: 1 }, true],
    ['is owed nothing that it was never sent', off, { type: 'payment.created', tries: 0 }, false],
    ['is owed nothing that it does not subscribe to any more', off, { type: 'payment.failed', tries: 1 }, false],
  ] as const)('%s', (_, receiver, event, owed) => expect(isReplayable(event as EventRecord, receiver)).toBe(owed));
});

describe('a receiver that is turned off by itself', () => {
  it('is the next version, and keeps what it was', () =>
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
    ['is owed what it subscribed to', off, 'payment.created', true],
    ['is owed a test', off, 'service.webhook.test', true],
    ['is owed nothing else', off, 'payment.failed', false],
    [
      'is owed nothing once people have turned it off',
      { ...off, disabled_reason: undefined },
      'payment.created',
      false,
    ],
  ] as const)('%s', (_, receiver, type, owed) => expect(isReplayable({ type } as EventRecord, receiver)).toBe(owed));

  const at = (ms: number) => ({ created_at: later(ms).toISOString() });
  it.each([
    ['is off by what turned it off', off, at(0), true],
    ['is off by nothing before', off, at(-1), false],
    ['is not off by it once people have turned it off', { ...off, disabled_reason: undefined }, at(0), false],
    ['is not off by it once it is on', well, at(0), false],
  ] as const)('%s', (_, receiver, entry, is) => expect(isDisabledBy(receiver, entry)).toBe(is));

  it.each([
    ['when it was turned off', off, 0],
    ['when it began to fail', { ...off, failing_since: later(-5 * DAY).toISOString() }, -5 * DAY],
  ] as const)(
    'may have missed what happened as long before it as an event may be on its way: %s',
    (_, receiver, ms) => {
      const before = later(ms).getTime() - missedSince(receiver as DisabledConfig).getTime();
      const longest = RETRY_DELAYS.reduce((sum, wait) => sum + 1.1 * wait, 0);
      expect([before > longest, before < longest + 6 * HOUR]).toEqual([true, true]);
    },
  );

  it('is not owed anything where there is none', () =>
    expect(isReplayable({ type: 'payment.created' } as EventRecord, undefined)).toBe(false));
});
