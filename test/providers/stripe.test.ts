import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';
import { describeStripeOwn } from '#test/providers/stripe-own.ts';

const stripe: Traits = {
  provider: 'stripe',
  currency: 'EUR',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'stolen_card', 'fraud_suspected'],
  named: true,
  cancel: 'canceled',
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
  threeDecimals: 'KWD',
  inexpressible: { amount: 5_001, currency: 'KWD' },
};

describe('stripe', () => {
  describeJourneys(stripe);
  describeCrashes(stripe);
  describeCanaries(stripe);
  describeStripeOwn(stripe);
});
