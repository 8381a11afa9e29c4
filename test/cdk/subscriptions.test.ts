import { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { patternOf } from '#lib/aws/constructs/event-bus.construct.ts';

describe('a queue that subscribed', () => {
  it.each([
    ['to all hears of all', ['*'], { source: ['payfork'] }],
    ['to one type hears of that', ['payment.created'], { source: ['payfork'], detailType: ['payment.created'] }],
    [
      'to a group and a type hears of both',
      ['invoice.*', 'payment.created'],
      { source: ['payfork'], detailType: [{ prefix: 'invoice.' }, 'payment.created'] },
    ],
    ['to a group and to all hears of each event once', ['payment.*', '*'], { source: ['payfork'] }],
  ])('%s', (_, patterns, expected) => expect(new Stack().resolve(patternOf(patterns))).toEqual(expected));
});
