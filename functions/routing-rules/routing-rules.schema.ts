import * as z from 'zod';
import { SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import { ANY_OFFSET, Country, IdParam, ListQuery, Method, Name, Text } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('rule');

const FLAG = 'Must be true or false.';
const PRIORITY = 'Must be a whole number from -1000000 to 1000000.';
const unique = (list: readonly string[]) => [...new Set(list)];

const fields = {
  name: Name,
  countries: z
    .array(Country, 'Must be a list of countries.')
    .min(1, 'Must name at least one country.')
    .max(300, 'Must have at most 300 countries.')
    .transform(unique),
  connection_id: Text(64, 1),
  methods: z.array(Method, 'Must be a list of methods.').max(100, 'Must have at most 100 methods.').transform(unique),
  priority: z.int(PRIORITY).min(-1_000_000, PRIORITY).max(1_000_000, PRIORITY),
  fallback_to_default: z.boolean(FLAG),
  enabled: z.boolean(FLAG),
};

export const CreateRoutingRuleBody = z
  .strictObject({
    name: fields.name,
    countries: fields.countries,
    connection_id: fields.connection_id,
    methods: fields.methods.optional(),
    priority: fields.priority.optional(),
    fallback_to_default: fields.fallback_to_default.optional(),
    enabled: fields.enabled.optional(),
  })
  .meta({ id: 'CreateRoutingRule' });
export type CreateRoutingRuleInput = z.output<typeof CreateRoutingRuleBody>;

export const UpdateRoutingRuleBody = z.strictObject(fields).partial().meta({ id: 'UpdateRoutingRule' });
export type UpdateRoutingRuleInput = z.output<typeof UpdateRoutingRuleBody>;

export const ListRoutingRulesQuery = ListQuery(
  {},
  { isPosition: (position) => isId('rule', position), maxOffset: ANY_OFFSET },
);
export type ListRoutingRulesInput = z.output<typeof ListRoutingRulesQuery>;

export const RoutingRuleReply = z
  .object({
    id: z.string(),
    name: z.string(),
    countries: z.array(z.string()).readonly(),
    methods: z.array(z.string()).readonly(),
    connection_id: z.string(),
    priority: z.int(),
    fallback_to_default: z.boolean(),
    enabled: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'RoutingRule' });
const MAX_RULES = SETUP_LIMITS.rules;
export const OrderRoutingRulesBody = z
  .strictObject({
    rules: z
      .array(Text(64, 1), 'Must be a list of rules.')
      .max(MAX_RULES, `Must have at most ${MAX_RULES} rules.`)
      .refine((ids) => new Set(ids).size === ids.length, 'Must name each rule once.'),
  })
  .meta({ id: 'OrderRoutingRules' });
export type OrderRoutingRulesInput = z.output<typeof OrderRoutingRulesBody>;

export const RoutingRulesReply = z.array(RoutingRuleReply).readonly();

export const RoutingRuleOrderReply = z
  .object({ rules: RoutingRulesReply, changed: z.int() })
  .meta({ id: 'RoutingRuleOrder' });
