import { describe } from 'vitest';
import { describeModel } from '#test/model/describe-model.ts';

describe('a shop whose customers pay on pages, too', () =>
  describeModel([['mollie'], ['mollie', 'stripe'], ['checkout', 'mollie'], ['adyen', 'mollie']]));
