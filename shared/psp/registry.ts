/** Every PSP there is, under its own name. Adding one is adding a line here, and no other line anywhere. */
export { adyen } from '#shared/psp/adyen/adyen.adapter.ts';
export { checkout } from '#shared/psp/checkout/checkout.adapter.ts';
export { flutterwave } from '#shared/psp/flutterwave/flutterwave.adapter.ts';
export { mollie } from '#shared/psp/mollie/mollie.adapter.ts';
export { paypal } from '#shared/psp/paypal/paypal.adapter.ts';
export { paystack } from '#shared/psp/paystack/paystack.adapter.ts';
export { razorpay } from '#shared/psp/razorpay/razorpay.adapter.ts';
export { stripe } from '#shared/psp/stripe/stripe.adapter.ts';
