import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_FAILURES } from '#lib/aws/logged-metrics.ts';
import { cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import { METRICS } from '#shared/domain/reference/metrics.catalog.ts';
import { deployed } from '#test/cdk/deployed.support.ts';
import { filterPattern, valueAt } from '#test/cdk/filter-pattern.support.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import type { Properties } from '#test/cdk/synthesized.support.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop, bring, drain, eventText } from '#test/support/payment-steps.ts';

/**
 * Each alarm on a metric of our own rings only if a line of the log feeds that metric. Here the service itself writes
 * the lines, and the metric filters of the template read them as CloudWatch does.
 */

const lines: Body[] = [];
const log = cloudWatchLog({ stage: 'live', out: { write: (line) => lines.push(JSON.parse(line)) } });
const stack = deployed({ mail: { from: 'a@example.com' }, alarms: { providers: ['stripe'] } });
const NAMESPACE = 'payfork/live';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ log });
});
afterAll(() => host?.close());

type Filter = { readonly test: (line: unknown) => boolean; readonly metric: string; readonly value: string };

const filters = (): readonly Filter[] =>
  Object.values(stack.of('AWS::Logs::MetricFilter')).map(({ Properties: p }) => ({
    test: filterPattern(p.FilterPattern),
    metric: p.MetricTransformations[0].MetricName,
    value: p.MetricTransformations[0].MetricValue,
  }));

/** What CloudWatch counts of these lines under this name. */
function valuesOf(metric: string, of: readonly Body[]): readonly number[] {
  const own = filters().filter((filter) => filter.metric === metric);
  return of.flatMap((line) => {
    if (line._aws?.CloudWatchMetrics[0].Metrics.some(({ Name }: Body) => Name === metric)) return [line[metric]];
    const filter = own.find(({ test }) => test(line));
    if (!filter) return [];
    return [filter.value.startsWith('$') ? Number(valueAt(line, filter.value)) : Number(filter.value)];
  });
}

async function linesOf(happen: () => Promise<unknown>): Promise<readonly Body[]> {
  const before = lines.length;
  await happen();
  await drain(host);
  return lines.slice(before);
}

const pay = () => host.call('POST', '/v1/payments', aPaymentBody());

/** A callback about this payment that its provider has not signed. */
async function callBack(paid: Body): Promise<number> {
  const metadata = { org_id: host.info.org_id, connection_id: paid.connection_id, payment_id: paid.id };
  const object = { id: paid.psp_reference, object: 'payment_intent', status: 'succeeded', metadata };
  const text = eventText({ type: 'payment_intent.processing', object });
  return (await bring(host, text, 'whsec_wrong')).status;
}

describe('a line of the log feeds', () => {
  it('the time that payments take, whose samples say that there are payments', async () => {
    const found = valuesOf('payment_ms', await linesOf(pay));
    expect(found).toEqual([expect.any(Number)]);
    expect(valuesOf('payment_ms', await linesOf(() => host.call('POST', '/v1/payments', {})))).toEqual([]);
  });

  it('the callbacks with a wrong signature, and not those about what we do not know', async () => {
    const { body } = await pay();
    const wrong = await linesOf(async () => expect(await callBack(body)).toBe(401));
    expect(valuesOf('signatures_refused', wrong)).toEqual([1]);
    const unknown = eventText({ type: 'payment_intent.succeeded', object: { id: 'pi_1', object: 'payment_intent' } });
    expect(valuesOf('signatures_refused', await linesOf(() => bring(host, unknown, 'whsec_wrong')))).toEqual([]);
  });

  it('the callbacks whose provider does not answer our question, so that its outage is not ours', async () => {
    const { key, credentials, org_id } = await aShop(host, { conn_a: {} });
    const { body } = await host.call('POST', '/v1/payments', aPaymentBody('pending'), { key });
    const metadata = { org_id, connection_id: 'conn_a', payment_id: body.id };
    const object = { id: body.psp_reference, object: 'payment_intent', status: 'succeeded', metadata };
    const text = eventText({ type: 'payment_intent.succeeded', object });
    await host.control('POST', '/faults', {
      point: 'psp',
      nth: 1,
      kind: 'error',
      when: 'after',
      handler: 'psp-webhooks',
    });
    const unanswered = await linesOf(async () =>
      expect((await bring(host, text, credentials.conn_a?.webhook_secret ?? '')).status).toBe(502),
    );
    await host.control('DELETE', '/faults');
    expect(valuesOf('callbacks_without_provider', unanswered)).toEqual([1]);
    expect(valuesOf(FUNCTION_FAILURES, unanswered)).toEqual([]);
  });

  it('the events that the relay has left to the sweep', async () => {
    for (let nth = 1; nth <= 60; nth += 1)
      await host.control('POST', '/faults', { point: 'bus', nth, kind: 'error', when: 'before', handler: 'relay' });
    const late = await linesOf(async () => {
      await pay();
      await advance(host, '7m');
    });
    await host.control('DELETE', '/faults');
    expect(valuesOf('relayed_late', late).length).toBeGreaterThan(0);
    expect(valuesOf('relayed_late', await linesOf(pay))).toEqual([]);
  });

  it('the payments that nobody but a person can decide, and the age of what is due', async () => {
    await arrange(host, 'pending');
    const undecided = await linesOf(async () => {
      await host.call('POST', '/v1/payments', aPaymentBody('pending'));
      await advance(host, '9d');
    });
    await host.control('DELETE', '/psp/scenario');
    for (const name of METRICS.due_found.ms) expect(valuesOf(name, undecided).length).toBeGreaterThan(0);
  });

  it('the failures of functions: an error that nobody foresaw', async () => {
    await host.control('POST', '/faults', {
      point: 'table',
      nth: 1,
      kind: 'error',
      when: 'before',
      handler: 'payments',
    });
    const failed = await linesOf(async () => expect((await pay()).status).toBeGreaterThanOrEqual(500));
    await host.control('DELETE', '/faults');
    expect(valuesOf(FUNCTION_FAILURES, failed).length).toBeGreaterThan(0);
    expect(valuesOf(FUNCTION_FAILURES, await linesOf(pay))).toEqual([]);
  });
});

/** What Lambda and API Gateway write, in the form that their documents show. */
const FOREIGN = [
  { type: 'platform.report', record: { status: 'timeout', requestId: 'r', metrics: { durationMs: 1 } } },
  { status: '500', integrationStatus: '200' },
  { status: '429', integrationStatus: '-' },
  // A provider's trouble, a sign-in at a stage without mail, a client's own limit.
  { status: '502', integrationStatus: '200' },
  { status: '409', integrationStatus: '200' },
  { status: '429', integrationStatus: '200' },
];

describe('the alarms of the template', () => {
  const own = (): readonly string[] =>
    Object.values(stack.of('AWS::CloudWatch::Alarm')).flatMap(({ Properties: p }) => [
      ...(p.Namespace === NAMESPACE ? [p.MetricName] : []),
      ...(p.Metrics ?? []).flatMap(({ MetricStat: m }: Properties) =>
        m?.Metric.Namespace === NAMESPACE ? [m.Metric.MetricName] : [],
      ),
    ]);
  const catalog = new Set(Object.entries(METRICS).flatMap(([event, { ms }]) => [event, ...ms]));

  it('watch no metric of ours that neither the catalog of log lines nor a metric filter has', () => {
    const filtered = new Set(filters().map(({ metric }) => metric));
    expect(own().filter((name) => !catalog.has(name) && !filtered.has(name))).toEqual([]);
    expect([...filtered].filter((name) => !own().includes(name))).toEqual([]);
  });

  it.each([
    [FUNCTION_FAILURES, 1],
    ['api_failures', 1],
    ['api_throttled', 1],
    ['mails_failed', 0],
  ])('count %s among the lines of AWS: %i', (metric, count) => expect(valuesOf(metric, FOREIGN)).toHaveLength(count));

  it('read the log of each function that writes the line', () => {
    const names = [...functionNames(stack).values()].map((name) => `/ServiceLive/functions/${name}`);
    const read = Object.values(stack.of('AWS::Logs::MetricFilter')).map(({ Properties: p }) => [
      p.MetricTransformations[0].MetricName,
      p.LogGroupName,
    ]);
    const logsOf = (metric: string) => read.flatMap(([name, log]) => (name === metric ? [log] : []));
    expect(logsOf(FUNCTION_FAILURES).sort()).toEqual(names.sort());
    expect(logsOf('payment_ms')).toEqual(['/ServiceLive/functions/payments']);
    expect(logsOf('signatures_refused')).toEqual(['/ServiceLive/functions/psp-webhooks']);
  });
});
