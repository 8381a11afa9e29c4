import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** The methods that Razorpay's pages can show or hide. Razorpay uses the same names as we do. */
export const METHODS = ['card', 'netbanking', 'upi', 'wallet'] as const;

export const RAZORPAY_CAPABILITIES: Capabilities = {
  methods: METHODS,
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
