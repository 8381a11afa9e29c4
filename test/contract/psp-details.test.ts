import { describe } from 'vitest';
import { adyenDetails } from '#test/contract/details/adyen.details.ts';
import { checkoutDetails } from '#test/contract/details/checkout.details.ts';
import { flutterwaveDetails } from '#test/contract/details/flutterwave.details.ts';
import { mollieDetails } from '#test/contract/details/mollie.details.ts';
import { paypalDetails } from '#test/contract/details/paypal.details.ts';
import { paystackDetails } from '#test/contract/details/paystack.details.ts';
import { razorpayDetails } from '#test/contract/details/razorpay.details.ts';
import { stripeDetails } from '#test/contract/details/stripe.details.ts';
import { describePspDetails } from '#test/contract/psp-details.contract.ts';

/** Each PSP has its dialect in `details/`. */
describe('Adyen', () => describePspDetails(adyenDetails));
describe('Checkout.com', () => describePspDetails(checkoutDetails));
describe('Stripe', () => describePspDetails(stripeDetails));
describe('Mollie', () => describePspDetails(mollieDetails));
describe('Razorpay', () => describePspDetails(razorpayDetails));
describe('PayPal', () => describePspDetails(paypalDetails));
describe('Paystack', () => describePspDetails(paystackDetails));
describe('Flutterwave', () => describePspDetails(flutterwaveDetails));
