import { beforeAll, describe, expect, it } from 'vitest';
import { CAPACITY, CAPACITY_PROFILES } from '#lib/aws/stages.ts';
import { tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';
import { deployed } from '#test/cdk/deployed.support.ts';
import { dashboardContract } from '#test/cdk/stack/dashboard.contract.ts';
import type { Properties, Synthesized } from '#test/cdk/synthesized.support.ts';

/** Seconds that a payment's function takes: it waits for the provider, half a second as a rule. */
const PAYMENT_SECONDS = 0.55;
const CALLBACK_SECONDS = 0.06;

describe.each(['medium', 'large'] as const)('a stage of the profile %s', (profile) => {
  let stack: Synthesized;
  beforeAll(() => {
    stack = deployed({ capacity: profile });
  }, 60_000);
  dashboardContract(() => stack);

  it('has the concurrency of its profile', () => {
    const reserved = Object.values(stack.of('AWS::Lambda::Function')).flatMap(({ Properties: p }) =>
      p.ReservedConcurrentExecutions === undefined ? [] : [p.ReservedConcurrentExecutions],
    );
    expect(reserved.sort()).toEqual(Object.values(CAPACITY[profile].reserved).sort());
  });

  it('has a table that is warm, and so are all of its indexes', () => {
    const { warmThroughput } = CAPACITY[profile];
    const [table] = Object.values(stack.state.of('AWS::DynamoDB::GlobalTable'));
    expect(table?.Properties.WarmThroughput).toEqual(capitalized(warmThroughput?.table));
    const indexes: Properties[] = table?.Properties.GlobalSecondaryIndexes;
    expect(indexes.map(({ WarmThroughput }) => WarmThroughput)).toEqual(
      tableDefinition('').GlobalSecondaryIndexes.map(() => capitalized(warmThroughput?.index)),
    );
  });
});

describe('the capacity of a stage', () => {
  it.each(CAPACITY_PROFILES)('reserves enough for the payments a second that %s promises', (profile) => {
    const { paymentsPerSecond, reserved, throttle } = CAPACITY[profile];
    expect(reserved.payments).toBeGreaterThanOrEqual(paymentsPerSecond * PAYMENT_SECONDS);
    // PSPs may send three callbacks a payment, if somebody registers all types of events.
    expect(reserved['psp-webhooks']).toBeGreaterThanOrEqual(paymentsPerSecond * CALLBACK_SECONDS * 2);
    expect(throttle.rateLimit).toBeGreaterThanOrEqual(paymentsPerSecond * 2);
  });
});

const capitalized = (settings: object = {}) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name[0]?.toUpperCase() + name.slice(1), value]));
