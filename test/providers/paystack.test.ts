import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';
import { describePaystackOwn } from '#test/providers/paystack-own.ts';

const paystack: Traits = {
  provider: 'paystack',
  currency: 'NGN',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'stolen_card', 'fraud_suspected'],
  cancel: 'refused',
  refundFailsLater: false,
  neverArrived: 'sent_again',
};

describe('paystack', () => {
  describeJourneys(paystack);
  describeCrashes(paystack);
  describeCanaries(paystack);
  describePaystackOwn(paystack);
});
