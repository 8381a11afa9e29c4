import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** What Razorpay's pages can be told to show or hide. Our methods have Razorpay's names. */
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
