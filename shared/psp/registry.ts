/** All PSPs by name. A new PSP needs a line here; everything else is in its folder. */
export { adyen } from '#shared/psp/adyen/adapter.ts';
export { checkout } from '#shared/psp/checkout/adapter.ts';
export { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
export { mollie } from '#shared/psp/mollie/adapter.ts';
export { paypal } from '#shared/psp/paypal/adapter.ts';
export { paystack } from '#shared/psp/paystack/adapter.ts';
export { razorpay } from '#shared/psp/razorpay/adapter.ts';
export { stripe } from '#shared/psp/stripe/adapter.ts';
