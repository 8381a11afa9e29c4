import { describe } from 'vitest';
import { describeModel } from '#test/model/describe-model.ts';

describe('a shop whose customers pay by card', () =>
  describeModel([['stripe'], ['stripe', 'stripe'], ['stripe', 'checkout'], ['checkout', 'stripe']]));
