import type { Notes } from '#functions/openapi/word-book.ts';

export const ROUTING_NOTES = {
  AbTestExplained: {
    this: 'What an A/B test means for the payment.',
    result: '`decides`: it chooses the connection. Otherwise why it does not.',
    traffic_percentage: 'The share of targeted payments that take part, in percent.',
    variants: 'Its variants.',
    'variants[].name': 'The name of the variant.',
    'variants[].routing_rule_id': 'The rule of the variant.',
    'variants[].connection_id': 'The connection of that rule. Null if the rule is gone.',
    'variants[].chosen': 'Whether the payment gets this variant.',
    'variants[].share': 'Of the payments that the test targets, 0 to 1.',
  },
  ConnectionExplained: {
    this: 'What a connection means for the payment.',
    health: 'How the connection stands.',
    preferred_country: 'Whether it prefers the country of the payment.',
    method_bias: 'From -1 (avoid) to 1 (prefer), for the payment method.',
    fallback_only: 'Whether it is tried only when no other connection can take the payment.',
    position: 'In the order of failover, from 1. Null: it is not tried.',
    reason:
      'Why it is not tried, such as `inactive`, `currency_not_supported` or `down`. `no_fallback_in_rule` and ' +
      '`no_fallback_in_test`: what decides goes to one connection alone. `beyond_limit`: enough others come first. ' +
      'Null if it is tried.',
    probe: 'This payment would test whether a connection in trouble has recovered.',
    fee: 'In minor units, for comparison.',
  },
  EditedRoutingRule: {
    this: 'A routing rule, as it would be.',
    connection_id: 'The connection that gets the payments.',
    countries: 'The countries of payers.',
    methods: 'The payment methods. Empty: every method.',
    fallback_to_default: 'Whether default routing follows if the connection cannot take the payment.',
    enabled: 'Whether it is used.',
    id: 'Of the stored rule that this one is; left out for a new one.',
  },
  OrderRoutingRules: {
    this: 'A new order of all rules.',
    rules: 'The ids of all rules, in the order in which they are to be tried.',
  },
  RoutingReplay: {
    this:
      'The connections are those of now. What a payment recorded counts too: a connection that was down then, or ' +
      'had no token of it, is so in the replay. A payment that went where tokens decide may need its own tokens ' +
      'elsewhere.',
    oldest_at: 'When the oldest of these payments was created. Null without payments.',
    newest_at: 'When the newest of these payments was created. Null without payments.',
    'moves[].from': 'The connection by the stored rules. Null: none.',
    'moves[].to': 'The connection by the edited rules. Null: none.',
    'moves[].payments': 'How many payments move so.',
    'sample[].from': 'The connection by the stored rules. Null: none.',
    'sample[].to': 'The connection by the edited rules. Null: none.',
    'sample[].payment_id': 'The payment.',
    'sample[].created_at': 'When the payment was created.',
    replayed: 'How many of them had been routed; others were blocked, or never confirmed.',
    moved: 'How many go elsewhere by the edited rules than by the stored ones.',
    differs_from_recorded:
      'How many go elsewhere by the stored rules than they once went, as rules, connections or their health changed.',
    moves: 'Most first. Null is a payment that no connection could take.',
    sample: 'The newest payments that move.',
    '.payments': 'How many were looked at: the newest.',
  },
  RoutingRule: {
    this:
      'Sends payments with these countries and methods to one connection. A payment without a country matches ' +
      'no rule.',
    connection_id: 'The connection that gets the payments.',
    countries: 'The countries of payers (ISO 3166-1 alpha-2).',
    methods: 'The payment methods. Empty: every method.',
    fallback_to_default: 'Whether default routing follows if the connection cannot take the payment.',
    priority: 'The matching rule with the highest priority applies; among equals the oldest.',
    enabled: 'Whether it is used.',
  },
  RoutingRuleExplained: {
    this: 'What a routing rule means for the payment.',
    position: 'Counts the rules from 1, in the order in which they are tried.',
    connection_id: 'The connection of the rule.',
    fallback_to_default: 'Whether default routing follows if the connection cannot take the payment.',
    result:
      '`earlier_rule` and `ab_test`: it matches, but that one decides. `connection_unusable`: it matches first, but ' +
      'its connection cannot take the payment.',
  },
  RoutingRuleOrder: {
    this: 'The rules in their new order. As few as possible get another `priority`: so many have `changed`.',
    changed: 'How many rules got another priority.',
    rules: 'All rules in their new order.',
  },
  RoutingSimulation: {
    this: 'Where the payment would go, and why.',
    connection_id: 'The first connection that would be tried. Null: none.',
    provider: 'The provider of that connection. Null: none.',
    failure: 'Why the payment would fail. Null if it would not.',
    'failure.code': 'What would happen.',
    'failure.message': 'One sentence for people.',
    routing: 'What decides.',
    'routing.source': 'An A/B test, a routing rule or default routing.',
    rules: 'All rules, in the order in which they are tried.',
    ab_tests: 'The running A/B tests.',
    connections: 'All connections.',
    'fraud.decision': '`passed`, `flagged` or `blocked`.',
    'fraud.reasons': 'Which rules of the fraud policy apply.',
    outcome:
      '`blocked`: by the fraud policy. `refused`: the API would answer with the error in `failure`, for example as ' +
      'the plan has no payments left. The routing below is then what would follow otherwise.',
    by_chance: 'Another payment like this may go elsewhere: see the shares of `ab_tests`. Send an `id` or customer.',
    order: 'The connections that may see it, in order of failover.',
    'fraud.velocity_rules':
      'Rules that count payments are not applied: a simulation is not counted, nor does it read counts.',
    fraud: 'Null without an enabled fraud policy, and for a payment that is refused.',
  },
  SimulateRouting: {
    this: 'A payment as `CreatePayment` takes it. Any text may stand for a token: it is not used or stored.',
    method: 'The payment method, such as `card`.',
    customer_email: "The customer's email address.",
    description: 'It is not used.',
    save: 'It is not used.',
    order: 'What is bought.',
    payment_method: 'What the customer would pay with.',
    metadata: 'It is not used.',
    id:
      'Its id decides whether a payment without customer_id is in an A/B test, and whether it probes a connection ' +
      'that is in trouble. Without one, the result is that of most such payments.',
    amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
    capture:
      '`manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default: ' +
      '`automatic`.',
  },
  UpdateRoutingRule: {
    this: 'Fields that are not sent stay unchanged.',
  },
  'AbTestExplained, RoutingRuleExplained': {
    conditions: 'What has to be true.',
    'conditions[].condition': 'What is compared.',
    'conditions[].holds': 'Whether it is true.',
    'conditions[].seen': 'What the payment has. Null if it has none.',
    'conditions[].wanted': 'One of these. Empty: anything.',
  },
  'CreateRoutingRule, UpdateRoutingRule': {
    connection_id: 'The connection that gets the payments.',
    countries: 'The countries of payers.',
    enabled: 'Whether it is used.',
    methods: 'Empty: every method.',
    priority: 'The matching rule with the highest priority applies; among equals the oldest.',
    fallback_to_default:
      'Whether default routing is used if the connection cannot accept the payment, or fails in a way that allows ' +
      'another attempt.',
  },
  'ReplayRouting, SimulateRouting': {
    rules: 'A whole set of rules, in the order in which they are tried: it takes the place of the stored.',
  },
  CreateRoutingRule: {
    this: 'Which connection takes which payments.',
  },
  ReplayRouting: {
    this: 'Which rules to try on the newest payments.',
    limit: 'How many payments to look at.',
  },
} as const satisfies Notes;
