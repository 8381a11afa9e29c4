import { adyenFacts } from '#shared/psp/adyen/facts.ts';
import { checkoutFacts } from '#shared/psp/checkout/facts.ts';
import { flutterwaveFacts } from '#shared/psp/flutterwave/facts.ts';
import { lazyPsp } from '#shared/psp/kit/lazy-psp.ts';
import { mollieFacts } from '#shared/psp/mollie/facts.ts';
import { paypalFacts } from '#shared/psp/paypal/facts.ts';
import { paystackFacts } from '#shared/psp/paystack/facts.ts';
import { razorpayFacts } from '#shared/psp/razorpay/facts.ts';
import { stripeFacts } from '#shared/psp/stripe/facts.ts';

/*
 * All PSPs by name. A new PSP needs an import and a line here; everything else is in its folder. Adapters are imported
 * when they are first used: together they would be half of a payment function's start.
 */
export const adyen = lazyPsp(adyenFacts, () => import('#shared/psp/adyen/adapter.ts'));
export const checkout = lazyPsp(checkoutFacts, () => import('#shared/psp/checkout/adapter.ts'));
export const flutterwave = lazyPsp(flutterwaveFacts, () => import('#shared/psp/flutterwave/adapter.ts'));
export const mollie = lazyPsp(mollieFacts, () => import('#shared/psp/mollie/adapter.ts'));
export const paypal = lazyPsp(paypalFacts, () => import('#shared/psp/paypal/adapter.ts'));
export const paystack = lazyPsp(paystackFacts, () => import('#shared/psp/paystack/adapter.ts'));
export const razorpay = lazyPsp(razorpayFacts, () => import('#shared/psp/razorpay/adapter.ts'));
export const stripe = lazyPsp(stripeFacts, () => import('#shared/psp/stripe/adapter.ts'));
