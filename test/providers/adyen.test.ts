import { describe } from 'vitest';
import { describeAdyenOwn } from '#test/providers/adyen-own.ts';
import { describeCanaries } from '#test/providers/canaries.ts';
import { describeCrashes } from '#test/providers/crashes.ts';
import { describeJourneys, type Traits } from '#test/providers/journeys.ts';

const adyen: Traits = {
  provider: 'adyen',
  currency: 'EUR',
  declines: [
    'insufficient_funds',
    'card_declined',
    'incorrect_cvc',
    'expired_card',
    'restricted_card',
    'fraud_suspected',
  ],
  named: true,
  cancel: 'canceled',
  neverArrived: 'sent_again',
  noDecimals: 'JPY',
  threeDecimals: 'KWD',
};

describe('adyen', () => {
  describeJourneys(adyen);
  describeCrashes(adyen);
  describeCanaries(adyen);
  describeAdyenOwn(adyen);
});
