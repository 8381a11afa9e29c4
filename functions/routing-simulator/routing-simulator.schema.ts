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
    id: Text(64, 1).optional(),
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
  .refine(areDistinct, 'Must name each rule once.');

const NO_SAVED_METHOD =
  'A saved payment method cannot be simulated, as its tokens stay sealed. Send `tokens` by provider instead.';

/** The fields of a payment, so that its body can be simulated as it is. */
export const SimulateRoutingBody = z
  .strictObject({
    id: z
      .string()
      .refine((id) => isId('payment', id), 'Must be the id of a payment.')
      .optional(),
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
  .meta({ id: 'SimulateRouting' });
export type SimulateRoutingInput = z.output<typeof SimulateRoutingBody>;

const Conditions = z
  .array(
    z.object({
      condition: z.enum(['enabled', 'country', 'method', 'currency']),
      holds: z.boolean(),
      wanted: z.array(z.string()).readonly(),
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
    result: z.enum(['decides', 'connection_unusable', 'earlier_rule', 'ab_test', 'no_match']),
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
          share: z.number(),
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
    position: z.int().nullable(),
    reason: z.string().nullable(),
    health: z.enum(['unknown', 'healthy', 'degraded', 'down']),
    probe: z.boolean(),
    preferred_country: z.boolean(),
    method_bias: z.number(),
    fallback_only: z.boolean(),
    fee: z.number(),
  })
  .meta({ id: 'ConnectionExplained' });

export const SimulateRoutingReply = z
  .object({
    outcome: z.enum(['routed', 'blocked', 'no_route', 'refused']),
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
    by_chance: z.boolean(),
    order: z.array(z.string()).readonly(),
    rules: z.array(RuleExplained).readonly(),
    ab_tests: z.array(TestExplained).readonly(),
    fraud: z
      .object({
        decision: z.string(),
        reasons: z.array(z.string()).readonly(),
        velocity_rules: z.int(),
      })
      .nullable(),
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
    payments: z.int(),
    replayed: z.int(),
    moved: z.int(),
    differs_from_recorded: z.int(),
    oldest_at: z.string().nullable(),
    newest_at: z.string().nullable(),
    moves: z.array(z.object({ ...Goes, payments: z.int() })).readonly(),
    sample: z.array(z.object({ payment_id: z.string(), created_at: z.string(), ...Goes })).readonly(),
  })
  .meta({ id: 'RoutingReplay' });
