import type { Notes } from '#functions/openapi/word-book.ts';

export const PAYMENT_DETAILS_NOTES = {
  Address: {
    this: 'A postal address.',
    line1: 'Street and number.',
    line2: 'Anything else of the street address.',
    city: 'The city.',
    postal_code: 'The postal code.',
    state: 'State or province: its code, where the country has codes.',
  },
  Browser: {
    this:
      "What 3-D Secure asks for of the customer's browser. Without it a provider sends the customer to a page of " +
      'its own, or refuses the card where the law requires authentication.',
    user_agent: 'The `User-Agent` header that the browser sends.',
    accept_header: 'The `Accept` header that the browser sends.',
    language: '`navigator.language`, such as `en-GB`.',
    color_depth: '`screen.colorDepth`, in bits.',
    screen_height: '`screen.height`, in pixels.',
    screen_width: '`screen.width`, in pixels.',
    java_enabled: '`navigator.javaEnabled()`.',
    javascript_enabled: 'Whether the browser runs JavaScript.',
    origin: 'The origin of the page, such as `https://shop.example`.',
    time_zone_offset: "In minutes, as JavaScript's `getTimezoneOffset()` has it.",
  },
  Mit: {
    this:
      'The merchant initiates the payment while the customer is absent. It needs a saved payment method that the ' +
      'provider can charge so.',
    reason: 'Why the customer is charged without being there.',
    network_transaction_id:
      'That of the payment in which the customer agreed, from its attempt. It keeps the chain when a saved card is ' +
      'charged at another provider.',
  },
  Order: {
    this: 'What is bought.',
    reference: 'Your own order number.',
    tax_amount: "The part of the payment's amount that is tax.",
    shipping_amount: 'Tax included. Leave it out if shipping is one of the lines.',
    lines: "All of the order: with `shipping_amount` they come to the payment's amount.",
  },
  OrderLine: {
    this: 'One line of an order.',
    name: 'What it is, as the customer knows it.',
    quantity: 'How many.',
    discount_amount: "The discount of the line, in the currency's minor unit.",
    sku: 'Your own article number.',
    kind: 'What kind of line it is. Default: `physical`.',
    url: 'The page of the article.',
    image_url: 'An image of the article.',
    unit_amount: 'Tax included. Below 0 only for `discount` and `gift_card`.',
    total_amount: '`quantity` × `unit_amount` − `discount_amount`, tax included.',
    tax_amount: 'The part of `total_amount` that is tax. Below 0 where that is.',
  },
  PaymentMethod: {
    this: 'What the customer pays with. Tokens are encrypted and never returned.',
    id:
      'A saved payment method, `pm_…`, in place of `type` and `token`. Beside it there may be `return_url`, and ' +
      '`tokens` of the same card at further providers.',
    return_url:
      'Where the customer goes after the payment. It stays as it is, byte for byte; `payment_id` and `status` are ' +
      'added at the end of its query, before a fragment. If it has a parameter of one of these names, that appears ' +
      'twice, and ours is the last. Without a URL, a page of ours says how the payment ended, and a customer whose ' +
      'payment failed can try again there for a day.',
  },
  Sca: {
    this: 'Strong customer authentication. The issuer decides: it may ask for a challenge in spite of an exemption.',
    challenge: 'Whether the customer should confirm the payment at the bank.',
    exemption: 'The exemption from strong customer authentication that is asked for.',
  },
  Contact: {
    this: 'A person or a company with an address.',
    name: 'The full name.',
    phone: 'With country code, such as `+4930123456`.',
    address: 'The postal address.',
  },
  Card: {
    this: 'What the provider tells about the card.',
    brand: 'The brand, such as `visa`.',
    last4: 'The last four digits.',
    funding: 'How the card is funded.',
    issuer_country: 'The country of the issuer (ISO 3166-1 alpha-2).',
    exp_month: 'The month in which it expires, 1 to 12.',
    exp_year: 'The year in which it expires, with four digits.',
  },
  PaymentMethodOfCustomer: {
    this: "What the customer pays with, as the customer's browser may send it.",
  },
  'PaymentMethod, PaymentMethodOfCustomer': {
    type: 'The payment method, such as `card`.',
    token: "The provider's token: a text, or the fields of an object. Not a card number.",
    tokens: 'Tokens by provider, so that a payment can fail over to another one.',
    'tokens{}': "The provider's token.",
    phone: "The customer's phone number, for mobile money.",
    network: 'The mobile network, for mobile money.',
    bank: "The customer's bank, for bank methods.",
  },
} as const satisfies Notes;
