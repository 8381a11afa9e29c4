import { expect, it } from 'vitest';
import { instrumentKeys } from '#shared/services/payments/instrument-keys.service.ts';
import { aPayment } from '#test/support/payment.builder.ts';

const keyOf = (token: Readonly<Record<string, string>>) =>
  instrumentKeys(aPayment(), { type: 'card', token }, 'adyen')[0]?.token;
const saved = { type: 'scheme', storedPaymentMethodId: 'stored_1' };

it('a saved card has one retry budget, whatever the checkout adds to its token', () => {
  expect(keyOf({ ...saved, checkoutAttemptId: 'a', brand: 'visa' })).toBe(
    keyOf({ brand: 'bcmc', checkoutAttemptId: 'b', sdkData: 'x', ...saved }),
  );
  expect(keyOf(saved)).not.toBe(keyOf({ ...saved, storedPaymentMethodId: 'stored_2' }));
});
