import { describe } from 'vitest';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';
import { describeRazorpayOwn } from '#test/providers/razorpay-own.ts';

const razorpay: Traits = {
  provider: 'razorpay',
  currency: 'INR',
  beside: { phone: '+919900000000' },
  declines: [
    'insufficient_funds',
    'card_declined',
    'incorrect_cvc',
    'expired_card',
    'restricted_card',
    'fraud_suspected',
  ],
  cancel: 'refused',
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
  threeDecimals: 'KWD',
  inexpressible: { amount: 5_001, currency: 'KWD' },
};

describe('razorpay', () => {
  describeJourneys(razorpay);
  describeCrashes(razorpay);
  describeCanaries(razorpay);
  describeRazorpayOwn(razorpay);
});
