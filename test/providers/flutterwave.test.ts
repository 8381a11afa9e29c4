import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeFlutterwaveOwn } from '#test/providers/flutterwave-own.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';

const flutterwave: Traits = {
  provider: 'flutterwave',
  currency: 'NGN',
  declines: ['insufficient_funds', 'card_declined', 'incorrect_cvc', 'expired_card', 'stolen_card', 'fraud_suspected'],
  cancel: 'refused',
  neverArrived: 'failed',
  noDecimals: 'UGX',
};

describe('flutterwave', () => {
  describeJourneys(flutterwave);
  describeCrashes(flutterwave);
  describeCanaries(flutterwave);
  describeFlutterwaveOwn(flutterwave);
});
