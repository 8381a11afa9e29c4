import fc from 'fast-check';
import { always, type Command, command } from '#test/model/command.ts';
import { nth } from '#test/model/model.ts';
import type { Body } from '#test/support/host.ts';

/** The behaviour of the provider for its next calls. */
const SILENT = ['timeout_after_charge', 'timeout_before_charge', 'garbage', 'http_500'] as const;
const NOT_SENT = ['rate_limited', 'refuse_connection'] as const;
const SAID = [
  'approve',
  'requires_action',
  'pending',
  'partial_approval',
  'wrong_amount',
  'decline:card_declined',
  'decline:insufficient_funds',
  'decline:stolen_card',
] as const;
const WEBHOOKS = ['normal', 'normal', 'normal', 'none', 'early', 'duplicate', 'reordered', 'late:15'] as const;

const onCharges = fc.record({
  behaviour: fc.constantFrom(...SILENT, ...NOT_SENT, ...SAID),
  webhook: fc.constantFrom(...WEBHOOKS),
});
const onRefunds = fc.record({
  behaviour: fc.constantFrom(...SILENT, ...NOT_SENT, 'pending', 'decline:card_declined'),
  webhook: fc.constantFrom(...WEBHOOKS),
  match: fc.constant({ operation: 'refund' }),
});
const onCaptures = fc.record({
  behaviour: fc.constantFrom(...SILENT, ...NOT_SENT, 'pending', 'decline:card_declined'),
  webhook: fc.constantFrom(...WEBHOOKS),
  match: fc.constant({ operation: 'capture' }),
});
const onQuestions = fc.record({
  behaviour: fc.constantFrom(...SILENT, ...NOT_SENT),
  match: fc.record({ operation: fc.constantFrom('find', 'fetch', 'fetch_refund', 'cancel') }),
});
const onDisputes = fc.record({
  behaviour: fc.constantFrom(...SILENT, ...NOT_SENT),
  webhook: fc.constantFrom('normal', 'normal', 'duplicate', 'reordered', 'late:15'),
  match: fc.constant({ operation: 'dispute' }),
});
const aScenario: fc.Arbitrary<Body> = fc.oneof(
  { arbitrary: onCharges, weight: 5 },
  { arbitrary: onRefunds, weight: 2 },
  { arbitrary: onCaptures, weight: 3 },
  { arbitrary: onQuestions, weight: 2 },
  { arbitrary: onDisputes, weight: 1 },
);

const arrange = (scenario: Body, times: number, which: number): Command =>
  command(`provider ${which}: ${JSON.stringify({ ...scenario, times })}`, always, async (model, { control, shop }) => {
    model.muted ||= scenario.webhook === 'none';
    // A callback during which a provider does not respond is rejected, and sent again.
    model.belated ||= scenario.webhook === 'late:15' || scenario.match !== undefined;
    await control('POST', '/psp/scenario', { ...scenario, times, provider: nth(shop.providers, which) });
  });

/** The functions that serve requests fail most often, because clients see that. */
const HANDLERS = ['payments', 'payments', 'payment-actions', 'psp-webhooks', 'disputes', 'timers', 'relay'] as const;
const aFault = fc.record({
  point: fc.constantFrom('table', 'table', 'table', 'psp', 'psp', 'vault', 'queue', 'bus'),
  nth: fc.integer({ min: 1, max: 6 }),
  kind: fc.constantFrom('crash', 'crash', 'error', 'throttle'),
  when: fc.constantFrom('before', 'after'),
  handler: fc.constantFrom(...HANDLERS),
});

const strike = (fault: Body): Command =>
  command(`fault: ${JSON.stringify(fault)}`, always, async (model, { control }) => {
    model.faulty = true;
    model.belated = true;
    await control('POST', '/faults', fault);
  });

export const scenarios: fc.Arbitrary<Command> = fc
  .tuple(aScenario, fc.constantFrom(1, 1, 1, 2, 4), fc.nat(1))
  .map(([scenario, times, which]) => arrange(scenario, times, which));
export const faults: fc.Arbitrary<Command> = aFault.map(strike);
