import { describe, expect, it } from 'vitest';
import { embeddedMetrics, metricsTogether } from '#shared/adapters/aws/embedded-metrics.rules.ts';
import { METRICS } from '#shared/domain/reference/metrics.catalog.ts';

const AT = new Date('2026-01-01T00:00:00Z');

describe('a log line', () => {
  it.each(['toString', 'psp_refused', 'payment'])('without a metric is only a line: %s', (event) =>
    expect(embeddedMetrics(event, {}, 'payfork/live', AT)).toEqual({}),
  );

  it('is counted in total, and by its dimensions', () => {
    expect(
      embeddedMetrics('callback_refused', { provider: 'stripe', code: 'invalid_signature' }, 'payfork/live', AT),
    ).toEqual({
      callback_refused: 1,
      _aws: {
        Timestamp: AT.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'payfork/live',
            Dimensions: [[], ['provider', 'code']],
            Metrics: [{ Name: 'callback_refused', Unit: 'Count' }],
          },
        ],
      },
    });
  });

  it.each([
    ['measures a duration', { psp_latency_ms: 80 }, ['psp_called', 'psp_latency_ms']],
    ['omits an unknown duration', {}, ['psp_called']],
    ['omits a duration that is not a number', { psp_latency_ms: '[card]' }, ['psp_called']],
  ])('%s', (_, fields, names) => {
    expect(
      embeddedMetrics('psp_called', { provider: 'stripe', verdict: 'given', ...fields }, 'payfork/live', AT),
    ).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Metrics: names.map((Name) => ({ Name })) }] },
    });
  });
});

describe('log lines of one batch', () => {
  const tried = (outcome: string, delivery_ms: unknown = 5) => ({
    event: 'delivery_tried',
    fields: { outcome, delivery_ms, event_id: 'evt_1' },
  });

  it('are counted in total, and by their dimensions, with all their durations', () => {
    const lines = [tried('delivered', 7), tried('failed'), tried('delivered', '[card]')];
    const [delivered, ...others] = metricsTogether(lines, 'payfork/live', AT);
    expect(delivered).toEqual({
      outcome: 'delivered',
      delivery_tried: 2,
      delivery_ms: [7],
      _aws: {
        Timestamp: AT.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'payfork/live',
            Dimensions: [[], ['outcome']],
            Metrics: [
              { Name: 'delivery_tried', Unit: 'Count' },
              { Name: 'delivery_ms', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
    });
    expect(others).toMatchObject([{ outcome: 'failed', delivery_tried: 1, delivery_ms: [5] }]);
  });

  it('need a line for each hundred durations, as CloudWatch takes no more at once', () => {
    const all = metricsTogether(Array(230).fill(tried('delivered')), 'payfork/live', AT);
    expect(all.map((line) => [line.delivery_tried, Object(line.delivery_ms).length])).toEqual([
      [100, 100],
      [100, 100],
      [30, 30],
    ]);
  });
});

describe('the metrics', () => {
  it('have distinct names, and no id as a dimension', () => {
    const names = Object.entries(METRICS).flatMap(([event, { ms }]) => [event, ...ms]);
    expect(new Set(names).size).toBe(names.length);
    expect(
      Object.values(METRICS).flatMap(({ by }) => by.filter((name) => /(^|_)(id|key|email|ip|name)$/.test(name))),
    ).toEqual([]);
  });
});
