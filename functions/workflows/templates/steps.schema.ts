import * as z from 'zod';
import { parseDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import {
  faultInCondition,
  faultInRule,
  faultInText,
  MAX_EXPRESSION_LENGTH,
} from '#shared/domain/workflows/expression.rules.ts';
import { faultInNames, faultInNamesOfText } from '#shared/domain/workflows/expression-names.rules.ts';
import { MAX_STEPS, STEP_TYPES } from '#shared/domain/workflows/workflow.model.ts';
import { Amount, ExactNumber, Metadata, Text } from '#shared/http/schema/common.schema.ts';

const STEP_ID = 'Must start with a letter and contain only a-z, 0-9 and _, at most 40 characters.';
const StepId = z
  .string(STEP_ID)
  .regex(/^[a-z][a-z0-9_]{0,39}$/, STEP_ID)
  .meta({ id: 'StepId' });
const DELAY = 'Must be a duration from 1m to 30d, such as 10m, 2h or 3d.';
const MAX_STEPS_BYTES = 32 * 1024;

/**
 * Adds the message of `faultIn` as an issue. It is not called if the value has other issues, such as not being a
 * string.
 */
const checkedText = (text: z.ZodType<string>, faultIn: (text: string) => string | undefined) =>
  text.superRefine(
    (value, context) => {
      const message = faultIn(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    },
    { when: ({ issues }) => issues.length === 0 },
  );

const Condition = checkedText(Text(MAX_EXPRESSION_LENGTH, 1), (text) => faultInCondition(text) ?? faultInNames(text));
export const RuleCondition = checkedText(
  Text(MAX_EXPRESSION_LENGTH, 1),
  (text) => faultInRule(text) ?? faultInNames(text),
);
const faultInTemplate = (text: string) => faultInText(text) ?? faultInNamesOfText(text);
const TextWithExpressions = (max: number) => checkedText(Text(max, 1), faultInTemplate);
const Tags = Metadata.superRefine(
  (metadata, context) => {
    for (const [name, value] of Object.entries(metadata)) {
      const message = typeof value === 'string' ? faultInTemplate(value) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
    }
  },
  { when: ({ issues }) => issues.length === 0 },
);
/** The store does not accept deeper JSON. */
const MAX_DEPTH = 10;
const MAX_TEXT_LENGTH = 8_000;

const Name = Text(255, 1);
const Inner = Text(MAX_TEXT_LENGTH);
const Quantity = ExactNumber('Must be a number.');

/** JSON that can be stored as it was value, and whose texts have `{{ expressions }}` that can be filled in. */
const StepBody = z.record(z.string(), z.unknown(), 'Must be an object.').superRefine((body, context) => {
  for (const { path, message } of faultsInJson(body)) context.addIssue({ code: 'custom', path: [...path], message });
});

type JsonFault = { readonly path: readonly string[]; readonly message: string };
type JsonNode = { readonly path: readonly string[]; readonly value: unknown };

function* faultsInJson(body: unknown): Generator<JsonFault> {
  const queue: JsonNode[] = [{ path: [], value: body }];
  for (let node = queue.pop(); node; node = queue.pop()) {
    const { path, value } = node;
    if (typeof value !== 'object' || value === null) {
      const message = faultOf(value);
      if (message !== undefined) yield { path, message };
    } else if (path.length >= MAX_DEPTH) {
      yield { path, message: `Must not nest objects and lists more than ${MAX_DEPTH} levels deep.` };
    } else {
      yield* invalidNames(value, path);
      queue.push(...Object.entries(value).map(([name, inner]) => ({ path: [...path, name], value: inner })));
    }
  }
}

function* invalidNames(value: object, path: readonly string[]): Generator<JsonFault> {
  for (const name of Array.isArray(value) ? [] : Object.keys(value)) {
    if (!Name.safeParse(name).success)
      yield { path: [...path, name], message: 'Must have a name of 1 to 255 characters.' };
  }
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Quantity.safeParse(value).error?.issues[0]?.message;
  if (typeof value !== 'string') return undefined;
  return Inner.safeParse(value).error?.issues[0]?.message ?? faultInText(value) ?? faultInNamesOfText(value);
}

const ONE_LINE = /^\P{Cc}*$/u;

const anyStep = {
  id: StepId.meta({ example: 'tell_us' }),
  on_error: z.enum(['stop', 'continue'], 'Must be stop or continue.').optional(),
};
const flow = {
  ...anyStep,
  next: StepId.nullable().optional(),
};
const integration_id = Text(64, 1);

const HttpRequestStep = z
  .strictObject({
    ...flow,
    type: z.literal('http_request'),
    integration_id: integration_id,
    body: StepBody.optional(),
  })
  .meta({ id: 'HttpRequestStep' });

const NotifyStep = z
  .strictObject({
    ...flow,
    type: z.literal('notify'),
    integration_id: integration_id,
    message: TextWithExpressions(2_000).meta({ example: 'Payment {{ data.id }} has failed.' }),
    subject: TextWithExpressions(200)
      .refine((text) => ONE_LINE.test(text), 'Must be one line.')
      .optional(),
  })
  .meta({ id: 'NotifyStep' });

const TagPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('tag_payment'),
    metadata: Tags,
  })
  .meta({ id: 'TagPaymentStep' });
const CancelPaymentStep = z
  .strictObject({ ...flow, type: z.literal('cancel_payment') })
  .meta({ id: 'CancelPaymentStep' });
const CapturePaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('capture_payment'),
    amount: Amount.optional(),
    final: z.boolean().optional(),
  })
  .meta({ id: 'CapturePaymentStep' });
const RefundPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('refund_payment'),
    amount: Amount.optional(),
    reason: TextWithExpressions(200).optional(),
  })
  .meta({ id: 'RefundPaymentStep' });
const PauseSubscriptionStep = z
  .strictObject({ ...flow, type: z.literal('pause_subscription') })
  .meta({ id: 'PauseSubscriptionStep' });
const DelayStep = z
  .strictObject({
    ...flow,
    type: z.literal('delay'),
    for: z
      .string(DELAY)
      .refine((text) => parseDelay(text) !== undefined, DELAY)
      .meta({ example: '2h' }),
  })
  .meta({ id: 'DelayStep' });
const ConditionStep = z
  .strictObject({
    ...anyStep,
    type: z.literal('condition'),
    if: Condition.meta({ example: 'data.amount >= 10000 && data.currency == "EUR"' }),
    // biome-ignore lint/suspicious/noThenProperty: the field's name in the interface.
    then: StepId.nullable().optional(),
    else: StepId.nullable().optional(),
  })
  .meta({ id: 'ConditionStep' });

export const Step = z
  .discriminatedUnion(
    'type',
    [
      HttpRequestStep,
      NotifyStep,
      TagPaymentStep,
      CancelPaymentStep,
      CapturePaymentStep,
      RefundPaymentStep,
      PauseSubscriptionStep,
      DelayStep,
      ConditionStep,
    ],
    `Must be one of ${STEP_TYPES.join(', ')}.`,
  )
  .meta({ id: 'WorkflowStep' });

export const Steps = z
  .array(Step, 'Must be a list of steps.')
  .min(1, 'Must have at least one step.')
  .max(MAX_STEPS, `Must have at most ${MAX_STEPS} steps.`)
  .refine((steps) => Buffer.byteLength(JSON.stringify(steps)) <= MAX_STEPS_BYTES, {
    message: `Must have at most ${MAX_STEPS_BYTES} bytes of JSON.`,
    // JSON that is nested too deep cannot be serialized.
    when: ({ issues }) => issues.length === 0,
  });
