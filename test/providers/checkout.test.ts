import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCheckoutOwn } from '#test/providers/checkout-own.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';

const checkout: Traits = {
  provider: 'checkout',
  currency: 'EUR',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'stolen_card', 'fraud_suspected'],
  cancel: 'refused',
  refundFailsLater: false,
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
  threeDecimals: 'KWD',
  inexpressible: { amount: 5_001, currency: 'KWD' },
};

describe('checkout', () => {
  describeJourneys(checkout);
  describeCrashes(checkout);
  describeCanaries(checkout);
  describeCheckoutOwn(checkout);
});
