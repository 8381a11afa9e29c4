import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from '#shared/adapters/net/exchange.ts';
import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import {
  checkAgainAt,
  isDeliverable,
  MAX_ATTEMPTS_KEPT,
  payloadOf,
  RETRY_DELAYS,
  retryDelaySeconds,
  settleAttempt,
  withAttempt,
} from '#shared/domain/webhooks/delivery.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

const AT = new Date('2026-01-31T12:00:00.000Z');
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const tried = (status_code: number | null): EventAttempt => ({
  at: AT.toISOString(),
  status_code,
  duration_ms: 12,
  error: null,
});

const anEvent = (wish: Partial<EventRecord> = {}): EventRecord => ({
  id: 'evt_1',
  org_id: 'org_1',
  type: 'payment.succeeded',
  created_at: '2026-01-01T00:00:00.000Z',
  data: { id: 'pay_1' },
  status: 'pending',
  attempts: Array.from({ length: wish.tries ?? 0 }, () => tried(500)),
  tries: 0,
  next_attempt_at: null,
  ...wish,
});

describe('the schedule of retries', () => {
  it.each([
    [1, 5],
    [2, MINUTE],
    [3, 5 * MINUTE],
    [4, 30 * MINUTE],
    [5, 2 * HOUR],
    [6, 6 * HOUR],
    [7, 12 * HOUR],
    [8, 24 * HOUR],
  ])('after attempt %i waits %i seconds, with a tenth of jitter', (tries, usual) => {
    for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4']) {
      const wait = retryDelaySeconds(id, tries);
      expect(wait).toBeGreaterThanOrEqual(usual * 0.9);
      expect(wait).toBeLessThanOrEqual(Math.ceil(usual * 1.1));
    }
  });

  it('ends after the ninth attempt', () => {
    expect(RETRY_DELAYS).toHaveLength(8);
    expect(retryDelaySeconds('evt_1', 9)).toBeUndefined();
  });

  it('spreads events that failed together', () => {
    const waits = Array.from({ length: 200 }, (_, n) => retryDelaySeconds(`evt_${n}`, 8) ?? 0);
    expect(new Set(waits).size).toBeGreaterThan(150);
    expect(Math.min(...waits)).toBeLessThan(24 * HOUR * 0.95);
    expect(Math.max(...waits)).toBeGreaterThan(24 * HOUR * 1.05);
  });

  it('keeps within a tenth of each step, for any event', () => {
    for (const [n, usual] of RETRY_DELAYS.entries()) {
      const waits = Array.from({ length: 500 }, (_, of) => retryDelaySeconds(`evt_${of}`, n + 1) ?? 0);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual((usual * 0.9) / 1_000);
      expect(Math.max(...waits)).toBeLessThanOrEqual(Math.ceil((usual * 1.1) / 1_000));
    }
  });

  it('is the same each time it is computed', () =>
    expect(retryDelaySeconds('evt_1', 4)).toBe(retryDelaySeconds('evt_1', 4)));

  it.each([
    ['longer than the schedule is respected', 1, 120, 120],
    ['shorter than the schedule is ignored', 8, 1, retryDelaySeconds('evt_1', 8)],
    ['beyond a day is cut to a day', 1, 1_000_000, 24 * HOUR],
  ])('a Retry-After that is %s', (_, tries, asked, expected) =>
    expect(retryDelaySeconds('evt_1', tries, asked)).toBe(expected),
  );
});

describe('a delivery attempt', () => {
  it.each([200, 201, 204, 299])('with the response %i delivers the event', (code) => {
    expect(settleAttempt(anEvent(), tried(code), AT)).toEqual({
      status: 'delivered',
      nextAt: null,
      delaySeconds: undefined,
      dueAt: null,
    });
  });

  it.each([null, 199, 301, 302, 400, 404, 410, 429, 500, 503])(
    'with the response %s is followed by another',
    (code) => {
      expect(settleAttempt(anEvent(), tried(code), AT).status).toBe('pending');
    },
  );

  it.each([
    ['the third attempt the retry waits in the queue, for up to 15 minutes', 2, true],
    ['the fourth attempt the retry waits in the due index, for longer than 15 minutes', 3, false],
  ])('after %s', (_, tries, queued) => {
    const { nextAt, delaySeconds, dueAt } = settleAttempt(anEvent({ tries }), tried(500), AT);
    const wait = retryDelaySeconds('evt_1', tries + 1) ?? 0;
    const next = plus(AT, wait * 1_000);
    expect({ nextAt, delaySeconds, dueAt }).toEqual({
      nextAt: next,
      delaySeconds: queued ? wait : undefined,
      dueAt: queued ? plus(next, 900_000) : next,
    });
  });

  it('leaves the entry in the due index where it is, if that is after the next attempt', () => {
    const due_at = plus(AT, 900_000).toISOString();
    for (const tries of [1, 2])
      expect(settleAttempt(anEvent({ tries, due_at }), tried(500), AT).dueAt?.toISOString()).toBe(due_at);
  });

  it('moves an entry in the due index that is before the next attempt', () => {
    const { nextAt, dueAt } = settleAttempt(anEvent({ tries: 2, due_at: AT.toISOString() }), tried(500), AT);
    expect(dueAt).toEqual(plus(nextAt!, 900_000));
  });

  it('waits in the due index when Retry-After exceeds 15 minutes', () => {
    expect(settleAttempt(anEvent(), tried(503), AT, { retryAfter: 3_600 })).toMatchObject({
      nextAt: plus(AT, 3_600_000),
      delaySeconds: undefined,
      dueAt: plus(AT, 3_600_000),
    });
  });

  it('that was the last one fails the event', () =>
    expect(settleAttempt(anEvent({ tries: 8 }), tried(500), AT)).toMatchObject({ status: 'failed', nextAt: null }));

  it('that ends delivery fails the event at once', () =>
    expect(settleAttempt(anEvent(), tried(410), AT, { isFinal: true })).toEqual({
      status: 'failed',
      nextAt: null,
      delaySeconds: undefined,
      dueAt: null,
    }));

  it.each([
    ['delivered', 200, 'delivered'],
    ['delivered', 500, 'delivered'],
    ['failed', 200, 'delivered'],
    ['failed', 500, 'failed'],
    ['skipped', 200, 'delivered'],
    ['skipped', 500, 'failed'],
  ] as const)('by a replay of an event that is %s, with the response %i, leaves it %s', (status, code, after) => {
    expect(settleAttempt(anEvent({ status, tries: 3 }), tried(code), AT)).toMatchObject({
      status: after,
      nextAt: null,
      dueAt: null,
    });
  });
});

describe('an event that the sweep finds', () => {
  const nextAt = plus(AT, -60_000).toISOString();

  it.each([
    ['is sent when its attempt waited in the index alone', nextAt, nextAt, undefined],
    ['is sent when it has no planned attempt', null, AT.toISOString(), undefined],
    ['is looked at again while its message may still come', nextAt, AT.toISOString(), plus(nextAt, 900_000)],
    ['is sent when its message is lost', plus(AT, -900_000).toISOString(), plus(AT, -1).toISOString(), undefined],
  ])('%s', (_, next_attempt_at, entryAt, expected) =>
    expect(checkAgainAt(anEvent({ tries: 1, next_attempt_at }), entryAt, AT)).toEqual(expected),
  );
});

describe('the attempts that are stored', () => {
  const nth = (n: number): EventAttempt => ({ ...tried(500), duration_ms: n });
  const keptOf = (tries: number) =>
    Array.from({ length: tries }, (_, n) => nth(n))
      .reduce<readonly EventAttempt[]>(withAttempt, [])
      .map(({ duration_ms }) => duration_ms);
  const counting = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

  it.each([1, 9, MAX_ATTEMPTS_KEPT])('are all of %i', (tries) => expect(keptOf(tries)).toEqual(counting(0, tries)));

  it.each([MAX_ATTEMPTS_KEPT + 1, MAX_ATTEMPTS_KEPT + 2, 1_000])('are the first and the newest of %i', (tries) => {
    expect(keptOf(tries)).toEqual([0, ...counting(tries - MAX_ATTEMPTS_KEPT + 1, tries)]);
  });

  it('do not decide which step of the schedule is next', () => {
    const worn = anEvent({ tries: 8, attempts: [tried(500)] });
    expect(settleAttempt(worn, tried(500), AT).status).toBe('failed');
    expect(settleAttempt({ ...worn, tries: 1 }, tried(500), AT).delaySeconds).toBe(retryDelaySeconds('evt_1', 2));
  });
});

describe('a Retry-After header', () => {
  it.each([
    ['seconds', '120', 120],
    ['seconds with spaces', ' 7 ', 7],
    ['a date', 'Sat, 31 Jan 2026 12:02:00 GMT', 120],
    ['a date in the format of RFC 850', 'Saturday, 31-Jan-26 12:02:00 GMT', 120],
    ['a date in the format of asctime', 'Sat Jan 31 12:02:00 2026 GMT', 120],
    ['a date in the past', 'Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['nothing', undefined, undefined],
    ['an empty string', '', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['words', 'in a while', undefined],
    ['more digits than years have seconds', '99999999999999999999', undefined],
  ])('that holds %s is parsed', (_, header, expected) => expect(retryAfterSeconds(header, AT)).toBe(expected));

  it.each(['9999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'cannot delay the next attempt by more than a day: %s',
    (header) => {
      expect(retryDelaySeconds('evt_1', 1, retryAfterSeconds(header, AT))).toBe(24 * HOUR);
    },
  );
});

describe('a subscription', () => {
  const receiver = (wish: Partial<WebhookConfig>) => ({ enabled: true, events: ['*'], ...wish }) as WebhookConfig;
  it.each([
    ['all event types are subscribed to', receiver({}), anEvent(), false, true],
    [
      'its type is subscribed to',
      receiver({ events: ['payment.failed', 'payment.succeeded'] }),
      anEvent(),
      false,
      true,
    ],
    ['its type is not subscribed to', receiver({ events: ['payment.failed'] }), anEvent(), false, false],
    [
      'its type is not subscribed to, but it is replayed',
      receiver({ events: ['payment.failed'] }),
      anEvent(),
      true,
      true,
    ],
    [
      'its type is not subscribed to, but it is a test',
      receiver({ events: ['payment.failed'] }),
      anEvent({ type: 'service.webhook.test' }),
      false,
      true,
    ],
    ['webhooks are disabled', receiver({ enabled: false }), anEvent(), true, false],
  ])('decides whether an event is delivered when %s', (_, config, event, replay, expected) =>
    expect(isDeliverable(event, config, replay)).toBe(expected),
  );
});

it('the payload has the event and the time of this attempt', () => {
  const late = Math.floor(plus(AT, DAY).getTime() / 1_000);
  expect(JSON.parse(payloadOf(anEvent({ tries: 2 }), late))).toEqual({
    id: 'evt_1',
    type: 'payment.succeeded',
    org_id: 'org_1',
    created_at: '2026-01-01T00:00:00.000Z',
    data: { id: 'pay_1' },
    timestamp: late,
  });
});
