import { describe, expect, it } from 'vitest';
import { DEAD_LETTERS } from '#lib/aws/queue-settings.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';
import { METRICS, metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

/**
 * A line of a chart: namespace, metric, and names and values of its dimensions. What CloudFormation fills in is a
 * logical id here.
 */
type Line = { readonly namespace: string; readonly metric: string; readonly of: readonly string[] };

function linesOf(stack: Synthesized): readonly Line[] {
  const [dashboard] = Object.values(stack.of('AWS::CloudWatch::Dashboard'));
  const parts: Properties[] = dashboard?.Properties.DashboardBody['Fn::Join'][1];
  const { widgets } = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : idOf(part))).join(''));
  return widgets.flatMap(({ properties }: Properties) =>
    properties.metrics.map(([namespace, metric, ...rest]: Properties[]) => ({
      namespace,
      metric,
      of: rest.filter((each) => typeof each === 'string'),
    })),
  );
}

/** A dashboard with up to 50 metrics is free, and three of them are. */
const FREE_METRICS = 50;

/** What the console offers to whoever looks for a request. */
export function savedQueriesContract(stack: () => Synthesized): void {
  describe('the saved queries', () => {
    it('go over every log of the stage, and are named after it', () => {
      const queries = Object.values(stack().of('AWS::Logs::QueryDefinition')).map(({ Properties: p }) => p);
      expect(queries.map(({ Name }) => Name).sort()).toEqual(
        ['errors', 'request', 'resource', 'trace'].map((name) => `${stack().name}/${name}`),
      );
      const logs = Object.values(stack().state.of('AWS::Logs::LogGroup')).map(({ Properties: p }) => p.LogGroupName);
      for (const { LogGroupNames } of queries) expect([...LogGroupNames].sort()).toEqual(logs.sort());
      expect(logs.length).toBeLessThanOrEqual(50);
    });

    it('find a request by the field that every line about it has', () => {
      const [request] = Object.values(stack().of('AWS::Logs::QueryDefinition')).filter(({ Properties: p }) =>
        p.Name.endsWith('/request'),
      );
      expect(request?.Properties.QueryString).toContain('| filter request_id = "req_…"');
      const [api] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      const line = JSON.parse(api?.Properties.AccessLogSettings.Format);
      expect(line.request_id.replace('$context.requestId', 'JKJaXmPLvHcESHA=')).toBe('req_JKJaXmPLvHcESHA=');
    });
  });
}

/** Of a small stage. */
export function smallDashboardContract(stack: () => Synthesized): void {
  describe('the dashboard', () => {
    it('has few enough metrics to be free, with every metric of our own in total', () => {
      const lines = linesOf(stack());
      expect(lines.length).toBeLessThanOrEqual(FREE_METRICS);
      const own = lines.filter(({ namespace }) => namespace === metricNamespace(stack().stage));
      expect(new Set(own.map(({ metric }) => metric))).toEqual(
        new Set(
          [...Object.entries(METRICS).flatMap(([event, { ms }]) => [event, ...ms]), 'function_failures'].filter(
            (name) => !/^(due_found|delivery_ms)$/.test(name),
          ),
        ),
      );
      expect(own.filter(({ of }) => of.length > 0)).toEqual([]);
    });

    it('shows errors of the functions that callers or money wait for', () => {
      const names = functionNames(stack());
      const shown = linesOf(stack()).filter(({ metric }) => metric === 'Errors');
      expect(shown.map(({ of }) => names.get(String(of.at(-1)))).sort()).toEqual([
        'hosted-pages',
        'payments',
        'psp-webhooks',
        'timers',
      ]);
    });
  });
}

export function dashboardContract(stack: () => Synthesized): void {
  const lines = (metric: string) => linesOf(stack()).filter((line) => line.metric === metric);
  const ends = (metric: string) => new Set(lines(metric).map(({ of }) => of.at(-1)));

  describe('the dashboard', () => {
    it('is a single one, named after its stack and region', () => {
      const names = Object.values(stack().of('AWS::CloudWatch::Dashboard')).map(({ Properties: p }) => p.DashboardName);
      expect(names).toEqual([{ 'Fn::Join': ['', [`${stack().name}-`, { Ref: 'AWS::Region' }]] }]);
    });

    it.each(['Errors', 'Throttles'])('shows the %s of every function', (metric) => {
      expect(ends(metric)).toEqual(new Set(functionNames(stack()).keys()));
    });

    it('shows age and length of every queue, and the dead letters', () => {
      const working = Object.keys(stack().of('AWS::SQS::Queue'));
      const dead = DEAD_LETTERS.map((name) => resourceNames(stack().name).deadLetters(name));
      expect(working).toHaveLength(QUEUES.length);
      expect(ends('ApproximateAgeOfOldestMessage')).toEqual(new Set(working));
      expect(ends('ApproximateNumberOfMessagesVisible')).toEqual(new Set([...working, ...dead]));
    });

    it('shows payments, verdicts and latency of each provider', () => {
      for (const metric of ['payment_settled', 'psp_called', 'psp_latency_ms'])
        expect(new Set(lines(metric).map(({ of }) => of[of.indexOf('provider') + 1]))).toEqual(
          new Set(metric === 'payment_settled' ? [...PROVIDERS, 'none'] : PROVIDERS),
        );
      expect(new Set(lines('payment_settled').map(({ of }) => of[of.indexOf('outcome') + 1]))).toEqual(
        new Set(['succeeded', 'failed', 'canceled', 'refunded']),
      );
    });

    it('shows every metric, by all of its dimensions or in total', () => {
      const own = linesOf(stack()).filter(({ namespace }) => namespace === metricNamespace(stack().stage));
      const fields = new Map<string, readonly string[]>(
        Object.entries(METRICS).flatMap(([event, { by, ms }]) => [event, ...ms].map((name) => [name, by])),
      );
      expect(new Set(own.map(({ metric }) => metric))).toEqual(
        new Set([...fields.keys(), 'function_failures'].filter((name) => !/^(due_found|delivery_ms)$/.test(name))),
      );
      for (const { metric, of } of own)
        expect([[], fields.get(metric)?.toSorted()]).toContainEqual(of.filter((_, n) => n % 2 === 0).toSorted());
    });

    it('shows throttling of the table and of each index', () => {
      const indexes = tableDefinition('').GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
      const { table } = resourceNames(stack().name);
      for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents']) {
        expect(lines(metric).map(({ of }) => of[of.indexOf('TableName') + 1])).toEqual(
          Array(1 + indexes.length).fill(table),
        );
        expect(
          lines(metric).flatMap(({ of }) =>
            of.includes('GlobalSecondaryIndexName') ? of[of.indexOf('GlobalSecondaryIndexName') + 1] : [],
          ),
        ).toEqual(indexes);
      }
    });
  });
}
