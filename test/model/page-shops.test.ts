import { describe } from 'vitest';
import { describeModel } from '#test/model/describe-model.ts';

describe('a shop whose customers also pay on hosted pages', () =>
  describeModel([['mollie'], ['mollie', 'stripe'], ['checkout', 'mollie'], ['adyen', 'mollie']]));
