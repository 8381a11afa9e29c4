import type { StoredIntent } from '#lib/simulators/stripe/objects.ts';
import { methodOfType, type TestMethod } from '#lib/simulators/stripe/test-methods.ts';

export const methodOf = (intent: StoredIntent): TestMethod => intent.notes.method ?? methodOfType('card');

/** The payment method as errors show it. */
export function shownMethod(intent: StoredIntent): unknown {
  const { type, brand, last4 } = methodOf(intent);
  return {
    id: intent.body.payment_method,
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    ...(type === 'card' && { card: shownCard(brand, last4) }),
    created: intent.body.created,
    customer: intent.body.customer ?? null,
    customer_account: null,
    livemode: intent.body.livemode,
    metadata: {},
    type,
  };
}

const shownCard = (brand: string, last4: string): unknown => ({
  brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  display_brand: brand,
  exp_month: 8,
  exp_year: 2099,
  funding: 'credit',
  generated_from: null,
  last4,
  networks: { available: [brand], preferred: null },
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
});
