import { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { patternOf } from '#lib/aws/constructs/event-bus.construct.ts';

describe('the event pattern of a queue', () => {
  it.each([
    ['matches all events of the service for a star', ['*'], { source: ['payfork'] }],
    ['matches one type', ['payment.created'], { source: ['payfork'], detailType: ['payment.created'] }],
    [
      'matches a group of types and another type',
      ['invoice.*', 'payment.created'],
      { source: ['payfork'], detailType: [{ prefix: 'invoice.' }, 'payment.created'] },
    ],
    ['matches each event once for a group and a star', ['payment.*', '*'], { source: ['payfork'] }],
  ])('%s', (_, patterns, expected) => expect(new Stack().resolve(patternOf(patterns))).toEqual(expected));

  it('leaves out events with the field that says so', () =>
    expect(new Stack().resolve(patternOf(['invoice.*'], 'workflows'))).toEqual({
      source: ['payfork'],
      detail: { workflows: [{ exists: false }] },
      detailType: [{ prefix: 'invoice.' }],
    }));
});
