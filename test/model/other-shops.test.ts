import { describe } from 'vitest';
import { describeModel } from '#test/model/describe-model.ts';

describe('a shop with providers of Africa, India or a wallet', () =>
  describeModel([
    ['paypal'],
    ['paystack'],
    ['flutterwave'],
    ['razorpay'],
    ['paypal', 'stripe'],
    ['paystack', 'flutterwave'],
  ]));
