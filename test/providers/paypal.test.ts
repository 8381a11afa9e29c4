import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';
import { describePaypalOwn } from '#test/providers/paypal-own.ts';

const paypal: Traits = {
  provider: 'paypal',
  currency: 'EUR',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'lost_card', 'fraud_suspected'],
  cancel: 'canceled',
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
  inexpressible: { amount: 5_001, currency: 'HUF' },
};

describe('paypal', () => {
  describeJourneys(paypal);
  describeCrashes(paypal);
  describeCanaries(paypal);
  describePaypalOwn(paypal);
});
