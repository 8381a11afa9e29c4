import { describe, expect, it } from 'vitest';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';

function logged(write: (log: ReturnType<typeof jsonLog>) => void): unknown[] {
  let text = '';
  const out = {
    write: (line: string) => {
      text += line;
    },
  };
  write(jsonLog(out, { now: () => new Date('2026-01-01T00:00:00Z') }));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('the log', () => {
  it('writes one JSON object per line', () => {
    const lines = logged((log) => {
      log.info('payment_created', { payment_id: 'pay_1', note: 'two\nlines' });
      log.warn('slow');
      log.error('failed', { error: new Error('why') });
    });
    expect(lines).toMatchObject([
      {
        time: '2026-01-01T00:00:00.000Z',
        level: 'info',
        event: 'payment_created',
        payment_id: 'pay_1',
        note: 'two\nlines',
      },
      { level: 'warn', event: 'slow' },
      { level: 'error', event: 'failed', error: { name: 'Error', message: 'why' } },
    ]);
  });

  it('redacts its fields', () => {
    expect(
      logged((log) => log.info('x', { secret: 'abc', at: new Secret('abc'), text: 'sk_live_abcdef' })),
    ).toMatchObject([{ secret: '[redacted]', at: '[secret]', text: 'sk_[secret]' }]);
  });

  it('keeps its own fields', () => {
    expect(logged((log) => log.info('x', { time: 'never', level: 'fatal', event: 'y' }))).toEqual([
      { time: '2026-01-01T00:00:00.000Z', level: 'info', event: 'x' },
    ]);
  });

  it('does not fail for values that cannot be printed', () => {
    const trap = {
      get trap(): string {
        throw new Error('caught');
      },
    };
    expect(logged((log) => log.info('x', { trap }))).toMatchObject([{ event: 'x', unprintable: true }]);
  });
});
