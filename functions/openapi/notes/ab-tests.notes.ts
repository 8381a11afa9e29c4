import type { Notes } from '#functions/openapi/word-book.ts';

export const AB_TESTS_NOTES = {
  AbTest: {
    this: 'Splits payments between routing rules, to compare them.',
    status: 'Only a `running` test takes payments. `completed` is final.',
    variants: 'The routing rules that are compared.',
    'variants[].name': 'The name of the variant.',
    'variants[].routing_rule_id': 'The rule whose connection gets the payments.',
    'variants[].weight': "The variant's share is its weight divided by the sum of all weights.",
    traffic_percentage: 'The share of targeted payments that take part, in percent.',
    target_currencies: 'The currencies that take part. Empty: all.',
    target_countries: 'The countries that take part. Empty: all.',
    target_methods: 'The payment methods that take part. Empty: all.',
    start_at: 'When it starts by itself. Null: only on request.',
    end_at: 'When it is completed by itself. Null: only on request.',
    total_transactions: 'How many payments were sent through its variants.',
    description: 'A text for people. Null without one.',
    name: 'A name for people.',
    start_failure:
      'Why it could not start at `start_at`, such as `ab_test_overlap`. It stays a draft: start it, or set another ' +
      'time. Null if it could.',
  },
  AbTestComparison: {
    this: 'The best variant against the second best.',
    winning_variant:
      'The best variant so far, even if only by chance. Null until payments of two variants have finished.',
    success_rate_diff:
      'The success rate of the best variant minus that of the second best. Null until both have finished payments.',
    latency_diff:
      'The average latency of the best variant minus that of the second best, in milliseconds. Null without calls ' +
      'of both.',
    statistically_valid:
      'Whether the confidence is at least 0.95, with at least 100 finished payments in each variant.',
    confidence_level: '1 - p of a two-sided two-proportion z-test, Bonferroni-corrected beyond two variants.',
    recommended_duration:
      'How many more days, with the current traffic, will show the difference with 80 % power; at most 365.',
  },
  AbTestResult: {
    this: 'What one variant has reached.',
    test_id: 'The A/B test.',
    variant_name: 'The name of the variant.',
    successful: 'Payments that succeeded.',
    failed: 'Payments that failed.',
    avg_latency_ms: "The average time of a provider's call, in milliseconds. Null without calls.",
    updated_at: 'When a payment last counted. Null without payments.',
    transactions:
      'Payments sent through the variant. Failover attempts after it, and payments that were never sent, do not count.',
    currency:
      'The currency of `total_amount`: the first targeted one, or the one with the most payments. Null without ' +
      'payments.',
    total_amount: 'The sum of the successful payments in `currency`.',
    success_rate: 'From 0 to 1, of the finished payments. Null without any.',
  },
  UpdateAbTest: {
    this: 'Fields that are not sent stay unchanged.',
  },
  'CreateAbTest, UpdateAbTest': {
    name: 'A name for people.',
    'variants[].name': 'A name that no other variant has.',
    description: 'A text for people. `null` removes it.',
    'variants[].routing_rule_id':
      'Its connection gets the payments. The rule may be disabled, because it is not matched again.',
    'variants[].weight': "The variant's share is its weight divided by the sum of all weights.",
    variants: 'Cannot be changed once the test has been started.',
    traffic_percentage:
      'The share of targeted payments that take part in the test. Raising it moves nobody to another variant.',
    target_currencies: 'Empty: all currencies.',
    target_countries: 'Empty: all countries.',
    target_methods: 'Empty: all methods.',
    start_at:
      'A draft starts automatically within a minute of this time; at once if it has passed. `null`: only on request.',
    end_at:
      'The test gets no payments from this time on, and is completed automatically within a minute. Must be in the ' +
      'future and after `start_at`. `null`: only on request.',
  },
  AbTestList: {
    this: 'A/B tests, newest first.',
    ab_tests: 'The tests of this page.',
  },
  AbTestStatus: {
    this: 'The test and its new status.',
    status: 'Only a `running` test takes payments. `completed` is final.',
  },
  AbTestResults: {
    this: 'The results of all variants.',
    results: 'One for each variant.',
  },
  CreateAbTest: {
    this: 'A new test is a draft: `start` runs it.',
  },
  'GET /v1/routing/ab-tests, GET /v1/routing-ab-tests': {
    status: 'Only tests with this status.',
  },
} as const satisfies Notes;
