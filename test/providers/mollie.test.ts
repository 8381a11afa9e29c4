import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';
import { describeMollieOwn } from '#test/providers/mollie-own.ts';

const mollie: Traits = {
  provider: 'mollie',
  currency: 'EUR',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'stolen_card', 'fraud_suspected'],
  named: true,
  cancel: 'refused',
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
};

describe('mollie', () => {
  describeJourneys(mollie);
  describeCrashes(mollie);
  describeCanaries(mollie);
  describe('on its own', () => describeMollieOwn(mollie));
});
