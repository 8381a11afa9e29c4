/** The payment service providers of the interface. An adapter registers under one of these names. */
export const PROVIDERS = ['stripe', 'adyen', 'paypal', 'checkout', 'mollie', 'paystack', 'flutterwave', 'razorpay'] as const;

export type Provider = (typeof PROVIDERS)[number];
