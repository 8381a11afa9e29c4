import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { ServiceTable } from '#lib/aws/constructs/table.construct.ts';
import { ServiceStack } from '#lib/aws/service.stack.ts';
import { CAPACITY, CAPACITY_PROFILES, type CapacityProfile, capacityOf, stageSettings } from '#lib/aws/stages.ts';
import { tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';
import { dashboardContract } from '#test/cdk/stack/dashboard.contract.ts';
import type { Synthesized } from '#test/cdk/synthesized.support.ts';

function tableOf(profile: CapacityProfile) {
  const stack = new Stack(new App(), 'Stack');
  const alarms = new ServiceAlarms(stack, 'Alarms');
  new ServiceTable(stack, 'Table', { stage: 'live', settings: stageSettings('live', profile), alarms });
  return Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'))[0];
}

const capacityWith = (context: Readonly<Record<string, unknown>>) =>
  capacityOf(new Stack(new App({ context }), 'Stack'), 'live');

/** Seconds that a payment's function takes: it waits for the provider, half a second as a rule. */
const PAYMENT_SECONDS = 0.55;
const CALLBACK_SECONDS = 0.06;

/** The whole stage without its functions' code, which takes seconds to bundle. */
const stageWith = (profile: CapacityProfile): Synthesized => {
  const app = new App({ context: { live_capacity: profile, 'aws:cdk:bundling-stacks': [] } });
  const template = Template.fromStack(new ServiceStack(app, 'live'));
  const of = (type: string) => template.findResources(type) as ReturnType<Synthesized['of']>;
  return { stage: 'live', template, text: JSON.stringify(template.toJSON()), of };
};

describe('a stage of the profile medium', () => {
  let stack: Synthesized;
  beforeAll(() => {
    stack = stageWith('medium');
  }, 60_000);
  dashboardContract(() => stack);

  it('has the concurrency of its profile', () => {
    const reserved = Object.values(stack.of('AWS::Lambda::Function')).flatMap(({ Properties: p }) =>
      p.ReservedConcurrentExecutions === undefined ? [] : [p.ReservedConcurrentExecutions],
    );
    expect(reserved.sort()).toEqual(Object.values(CAPACITY.medium.reserved).sort());
  });
});

describe('the capacity of a stage', () => {
  it('is small unless the deployment names another profile', () => {
    expect(capacityWith({})).toBe('small');
    expect(capacityWith({ live_capacity: 'large' })).toBe('large');
    expect(capacityWith({ sandbox_capacity: 'large' })).toBe('small');
  });

  it('cannot be a profile that does not exist, and the error lists those that do', () =>
    expect(() => capacityWith({ live_capacity: 'huge' })).toThrow(
      'live_capacity is "huge". Use one of: small, medium, large.',
    ));

  it.each(CAPACITY_PROFILES)('reserves enough for the payments a second that %s promises', (profile) => {
    const { paymentsPerSecond, reserved, throttle } = CAPACITY[profile];
    expect(reserved.payments).toBeGreaterThanOrEqual(paymentsPerSecond * PAYMENT_SECONDS);
    // PSPs may send three callbacks a payment, if somebody registers all types of events.
    expect(reserved['psp-webhooks']).toBeGreaterThanOrEqual(paymentsPerSecond * CALLBACK_SECONDS * 2);
    expect(throttle.rateLimit).toBeGreaterThanOrEqual(paymentsPerSecond * 2);
  });

  it.each(['medium', 'large'] as const)('warms the table and all of its indexes in %s', (profile) => {
    const { warmThroughput } = CAPACITY[profile];
    const table = tableOf(profile);
    expect(table?.Properties.WarmThroughput).toEqual(capitalized(warmThroughput?.table));
    const indexes: { WarmThroughput?: object }[] = table?.Properties.GlobalSecondaryIndexes;
    expect(indexes.map(({ WarmThroughput }) => WarmThroughput)).toEqual(
      tableDefinition('').GlobalSecondaryIndexes.map(() => capitalized(warmThroughput?.index)),
    );
  });
});

const capitalized = (settings: object = {}) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name[0]?.toUpperCase() + name.slice(1), value]));
