import * as z from 'zod';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import {
  Amount,
  CaptureMode,
  Country,
  Currency,
  CustomerEmail,
  Flag,
  Metadata,
  Method,
  Name,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import { methodsAgree, PaymentMethodBody, saveNeedsCustomer } from '#shared/http/schema/payment-method.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

const EditedRule = z
  .strictObject({
    id: Text(64, 1).optional().meta({ description: 'Of the stored rule that this one is; left out for a new one.' }),
    name: Name.optional(),
    countries: z.array(Country, 'Must be a list of countries.').min(1, 'Must name at least one country.').max(300),
    methods: z.array(Method, 'Must be a list of methods.').max(100).default([]),
    connection_id: Text(64, 1),
    fallback_to_default: Flag.default(false),
    enabled: Flag.default(true),
  })
  .meta({ id: 'EditedRoutingRule' });
export type EditedRule = z.output<typeof EditedRule>;

const areDistinct = (rules: readonly { readonly id?: string | undefined }[]): boolean => {
  const ids = rules.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return new Set(ids).size === ids.length;
};

const EditedRules = z
  .array(EditedRule, 'Must be a list of rules.')
  .max(SETUP_LIMITS.rules, `Must have at most ${SETUP_LIMITS.rules} rules.`)
  .refine(areDistinct, 'Must name each rule once.')
  .meta({
    description: 'A whole set of rules, in the order in which they are tried: it takes the place of the stored.',
  });

const NO_SAVED_METHOD =
  'A saved payment method cannot be simulated, as its tokens stay sealed. Send `tokens` by provider instead.';

/** The fields of a payment, so that its body can be simulated as it is. */
export const SimulateRoutingBody = z
  .strictObject({
    id: z
      .string()
      .refine((id) => isId('payment', id), 'Must be the id of a payment.')
      .optional()
      .meta({
        description:
          'Its id decides whether a payment without customer_id is in an A/B test, and whether it probes a connection ' +
          'that is in trouble. Without one, the result is that of most such payments.',
      }),
    rules: EditedRules.optional(),
    amount: Amount,
    currency: Currency,
    method: Method.optional(),
    country: Country.optional(),
    customer_id: Text(200, 1).optional(),
    customer_email: CustomerEmail.optional(),
    customer_ip: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address.').optional(),
    description: Text(500, 1).optional(),
    metadata: Metadata.optional(),
    capture: CaptureMode.optional(),
    payment_method: PaymentMethodBody.refine(({ id }) => id === undefined, {
      path: ['id'],
      message: NO_SAVED_METHOD,
    }).optional(),
    save: Flag.optional(),
    ...DETAILS,
  })
  .refine(...methodsAgree)
  .refine(...saveNeedsCustomer)
  .meta({
    id: 'SimulateRouting',
    description: 'A payment as `CreatePayment` takes it. Any text may stand for a token: it is not used or stored.',
  });
export type SimulateRoutingInput = z.output<typeof SimulateRoutingBody>;

const Conditions = z
  .array(
    z.object({
      condition: z.enum(['enabled', 'country', 'method', 'currency']),
      holds: z.boolean(),
      wanted: z.array(z.string()).readonly().meta({ description: 'One of these. Empty: anything.' }),
      seen: z.string().nullable(),
    }),
  )
  .readonly();

const RuleExplained = z
  .object({
    id: z.string(),
    name: z.string(),
    position: z.int(),
    connection_id: z.string(),
    fallback_to_default: z.boolean(),
    result: z.enum(['decides', 'connection_unusable', 'earlier_rule', 'ab_test', 'no_match']).meta({
      description:
        '`earlier_rule` and `ab_test`: it matches, but that one decides. `connection_unusable`: it matches first, but ' +
        'its connection cannot take the payment.',
    }),
    conditions: Conditions,
  })
  .meta({ id: 'RoutingRuleExplained' });

const TestExplained = z
  .object({
    id: z.string(),
    result: z.enum(['decides', 'variant_unusable', 'not_in_traffic', 'no_match', 'ended']),
    traffic_percentage: z.number(),
    conditions: Conditions,
    variants: z
      .array(
        z.object({
          name: z.string(),
          routing_rule_id: z.string(),
          connection_id: z.string().nullable(),
          share: z.number().meta({ description: 'Of the payments that the test targets, 0 to 1.' }),
          chosen: z.boolean(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'AbTestExplained' });

const ConnectionExplained = z
  .object({
    id: z.string(),
    provider: z.string(),
    position: z.int().nullable().meta({ description: 'In the order of failover, from 1. Null: it is not tried.' }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it is not tried, such as `inactive`, `currency_not_supported` or `down`. `no_fallback_in_rule` and ' +
          '`no_fallback_in_test`: what decides goes to one connection alone. `beyond_limit`: enough others come first.',
      }),
    health: z.enum(['unknown', 'healthy', 'degraded', 'down']),
    probe: z.boolean().meta({ description: 'This payment would test whether a connection in trouble has recovered.' }),
    preferred_country: z.boolean(),
    method_bias: z.number(),
    fallback_only: z.boolean(),
    fee: z.number().meta({ description: 'In minor units, for comparison.' }),
  })
  .meta({ id: 'ConnectionExplained' });

export const SimulateRoutingReply = z
  .object({
    outcome: z.enum(['routed', 'blocked', 'no_route', 'refused']).meta({
      description:
        '`blocked`: by the fraud policy. `refused`: the API would answer with the error in `failure`, for example as ' +
        'the plan has no payments left. The routing below is then what would follow otherwise.',
    }),
    connection_id: z.string().nullable(),
    provider: z.string().nullable(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    mode: z.enum(STAGE_NAMES),
    method: z.string(),
    routing: z.object({
      source: z.enum(['ab_test', 'rule', 'default']),
      rule_id: z.string().nullable(),
      ab_test_id: z.string().nullable(),
      variant: z.string().nullable(),
    }),
    by_chance: z.boolean().meta({
      description:
        'Another payment like this may go elsewhere: see the shares of `ab_tests`. Send an `id` or customer.',
    }),
    order: z
      .array(z.string())
      .readonly()
      .meta({ description: 'The connections that may see it, in order of failover.' }),
    rules: z.array(RuleExplained).readonly(),
    ab_tests: z.array(TestExplained).readonly(),
    fraud: z
      .object({
        decision: z.string(),
        reasons: z.array(z.string()).readonly(),
        velocity_rules: z.int().meta({
          description:
            'Rules that count payments are not applied: a simulation is not counted, nor does it read counts.',
        }),
      })
      .nullable()
      .meta({ description: 'Null without an enabled fraud policy, and for a payment that is refused.' }),
    connections: z.array(ConnectionExplained).readonly(),
  })
  .meta({ id: 'RoutingSimulation' });

export const MAX_REPLAYED = 1_000;
const LIMIT = `Must be a whole number from 1 to ${MAX_REPLAYED}.`;

export const ReplayRoutingBody = z
  .strictObject({
    rules: EditedRules,
    limit: z.int(LIMIT).min(1, LIMIT).max(MAX_REPLAYED, LIMIT).default(MAX_REPLAYED),
  })
  .meta({ id: 'ReplayRouting' });
export type ReplayRoutingInput = z.output<typeof ReplayRoutingBody>;

const Goes = { from: z.string().nullable(), to: z.string().nullable() };

export const ReplayRoutingReply = z
  .object({
    payments: z.int().meta({ description: 'How many were looked at: the newest.' }),
    replayed: z
      .int()
      .meta({ description: 'How many of them had been routed; others were blocked, or never confirmed.' }),
    moved: z.int().meta({ description: 'How many go elsewhere by the edited rules than by the stored ones.' }),
    differs_from_recorded: z.int().meta({
      description:
        'How many go elsewhere by the stored rules than they once went, as rules, connections or their health changed.',
    }),
    oldest_at: z.string().nullable(),
    newest_at: z.string().nullable(),
    moves: z
      .array(z.object({ ...Goes, payments: z.int() }))
      .readonly()
      .meta({ description: 'Most first. Null is a payment that no connection could take.' }),
    sample: z
      .array(z.object({ payment_id: z.string(), created_at: z.string(), ...Goes }))
      .readonly()
      .meta({ description: 'The newest payments that move.' }),
  })
  .meta({
    id: 'RoutingReplay',
    description:
      'The connections are those of now. What a payment recorded counts too: a connection that was down then, or had ' +
      'no token of it, is so in the replay. A payment that went where tokens decide may need its own tokens elsewhere.',
  });
