import { describe, expect, it } from 'vitest';
import { type CloudWatchLog, cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { aContext } from '#test/support/aws-events.ts';

/** The lines, as CloudWatch receives them. */
function logged(write: (log: CloudWatchLog) => void): unknown[] {
  const lines: string[] = [];
  const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
  write(cloudWatchLog({ stage: 'sandbox', clock, out: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line.replace(/\n$/, '')));
}

describe('the log on AWS', () => {
  it('writes one JSON object per line, with the event as message', () => {
    const lines = logged((log) => {
      log.info('payment_created', { payment_id: 'pay_1', note: 'two\nlines' });
      log.warn('slow');
      log.error('failed', { error: new Error('why') });
    });
    expect(lines).toMatchObject([
      {
        level: 'INFO',
        message: 'payment_created',
        service: 'payfork',
        payment_id: 'pay_1',
        note: 'two\nlines',
        timestamp: expect.stringMatching(/^\d{4}-/),
      },
      { level: 'WARN', message: 'slow' },
      { level: 'ERROR', message: 'failed', error: { name: 'Error', message: 'why' } },
    ]);
  });

  it('has the request id of the invocation', () => {
    const lines = logged((log) => {
      log.begin(aContext('request-1'));
      log.info('first');
      log.begin(aContext('request-2'));
      log.info('second');
    });
    expect(lines).toMatchObject([{ function_request_id: 'request-1' }, { function_request_id: 'request-2' }]);
  });

  it('redacts its fields', () => {
    expect(
      logged((log) => log.info('x', { secret: 'abc', at: new Secret('abc'), text: 'sk_live_abcdef' })),
    ).toMatchObject([{ secret: '[redacted]', at: '[secret]', text: 'sk_[secret]' }]);
  });

  it('redacts errors and their causes', () => {
    const error = new Error('Bearer abcdefghijkl', { cause: { password: 'abc' } });
    expect(JSON.stringify(logged((log) => log.error('x', { error })))).not.toMatch(/abcdefghijkl|"abc"/);
  });

  it('keeps its own fields', () => {
    const fields = { level: 'fatal', message: 'y', service: 'z', timestamp: 'never', function_request_id: 'none' };
    const [line, ...more] = logged((log) => {
      log.begin(aContext('request-1'));
      log.info('x', fields);
    });
    expect(line).toMatchObject({ level: 'INFO', message: 'x', service: 'payfork', function_request_id: 'request-1' });
    expect(more).toEqual([]);
  });

  it('does not fail for values that cannot be printed', () => {
    const trap = {
      get trap(): string {
        throw new Error('caught');
      },
    };
    expect(logged((log) => log.info('x', { trap }))).toMatchObject([{ message: 'x', unprintable: true }]);
  });

  it('adds a metric to a counted line', () => {
    const [line] = logged((log) =>
      log.info('callback_refused', { provider: 'stripe', code: 'invalid_signature', _aws: 'never' }),
    );
    expect(line).toMatchObject({
      level: 'INFO',
      message: 'callback_refused',
      provider: 'stripe',
      code: 'invalid_signature',
      callback_refused: 1,
    });
    expect(line).toHaveProperty('_aws.Timestamp', Date.parse('2026-01-01T00:00:00Z'));
    expect(line).toHaveProperty('_aws.CloudWatchMetrics.0.Namespace', 'payfork/sandbox');
  });

  it('counts the lines of a batch together when its invocation ends, and those of the next one apart', () => {
    const called = (provider: string, more = {}) => ['psp_called', { provider, verdict: 'given', ...more }] as const;
    const lines = logged((log) => {
      log.begin(aContext('request-1'));
      log.info(...called('stripe', { psp_latency_ms: 80, resource_id: 'pay_1' }));
      log.info(...called('adyen'));
      log.info(...called('stripe', { psp_latency_ms: 95, _aws: 'never' }));
      log.end();
      log.begin(aContext('request-2'));
      log.info(...called('stripe'));
      log.end();
      log.end();
    });
    const counted = { level: 'INFO', message: 'metrics', service: 'payfork', verdict: 'given' };
    expect(lines.filter((line) => !Object(line)._aws)).toHaveLength(4);
    expect(lines.filter((line) => Object(line)._aws)).toMatchObject([
      { ...counted, function_request_id: 'request-1', provider: 'stripe', psp_called: 2, psp_latency_ms: [80, 95] },
      { ...counted, function_request_id: 'request-1', provider: 'adyen', psp_called: 1 },
      { ...counted, function_request_id: 'request-2', provider: 'stripe', psp_called: 1 },
    ]);
    expect(lines).not.toContainEqual(expect.objectContaining({ message: 'metrics', resource_id: 'pay_1' }));
  });
});
