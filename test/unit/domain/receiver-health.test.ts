import { describe, expect, it } from 'vitest';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { isOwed, newsOf, turnedOff } from '#shared/domain/receiver-health.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const well: ReceiverConfig = {
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
const failing: ReceiverConfig = { ...well, failing_since: START.toISOString() };
const attempt = (status_code: number | null, at: Date): EventAttempt => ({ at: at.toISOString(), status_code, duration_ms: 1, error: null });

describe('what a try says about its receiver', () => {
  it.each([
    ['nothing, where one that is well takes it', well, 200, DAY, false, undefined],
    ['nothing, where an event fails for the first time', well, 500, DAY, true, undefined],
    ['that it fails, where an event fails again', well, 500, DAY, false, { is: 'failing' }],
    ['that it fails, where it is silent', well, null, DAY, false, { is: 'failing' }],
    ['that it fails, where it sends us elsewhere', well, 301, DAY, false, { is: 'failing' }],
    ['nothing new, where it is known to fail', failing, 500, 5 * DAY - 1, false, undefined],
    ['that it is back, where it takes one', failing, 204, DAY, true, { is: 'back' }],
    ['that it is back, also after more than five days', failing, 200, 6 * DAY, false, { is: 'back' }],
    ['that nobody is there, after five days', failing, 500, 5 * DAY, true, { is: 'off', reason: 'failing' }],
    ['that it is gone, where it says so', well, 410, 0, true, { is: 'off', reason: 'gone' }],
    ['that it is gone, where one that fails says so', failing, 410, 6 * DAY, false, { is: 'off', reason: 'gone' }],
  ] as const)('is %s', (_, receiver, status, ms, isFirst, news) => expect(newsOf(receiver, attempt(status, later(ms)), isFirst)).toEqual(news));
});

describe('a receiver that is turned off by itself', () => {
  it('is the next version, and keeps what it was', () =>
    expect(turnedOff(failing, 'failing', later(6 * DAY))).toEqual({
      ...failing,
      enabled: false,
      disabled_at: later(6 * DAY).toISOString(),
      disabled_reason: 'failing',
      version: 4,
      audits: 3,
      updated_at: later(6 * DAY).toISOString(),
    }));

  const off = turnedOff(well, 'gone', START);
  it.each([
    ['is owed what it subscribed to', off, 'payment.created', true],
    ['is owed a test', off, 'service.webhook.test', true],
    ['is owed nothing else', off, 'payment.failed', false],
    ['is owed nothing once people have turned it off', { ...off, disabled_reason: undefined }, 'payment.created', false],
  ] as const)('%s', (_, receiver, type, owed) => expect(isOwed({ type } as EventRecord, receiver)).toBe(owed));

  it('is not owed anything where there is none', () => expect(isOwed({ type: 'payment.created' } as EventRecord, undefined)).toBe(false));
});
