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
const StepId = z.string(STEP_ID).regex(/^[a-z][a-z0-9_]{0,39}$/, STEP_ID);
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
  id: StepId.meta({ description: 'Other steps and expressions refer to the step by this id.', example: 'tell_us' }),
  on_error: z
    .enum(['stop', 'continue'], 'Must be stop or continue.')
    .optional()
    .meta({
      description:
        'What happens after the last failed attempt. `stop` (the default): the execution fails. ' +
        '`continue`: the execution continues with the next step.',
    }),
};
const flow = {
  ...anyStep,
  next: StepId.nullable().optional().meta({
    description: 'The id of the next step. Default: the next step in the list. `null`: the execution ends here.',
  }),
};
const integration_id = Text(64, 1);

const HttpRequestStep = z
  .strictObject({
    ...flow,
    type: z.literal('http_request'),
    integration_id: integration_id.meta({ description: 'An integration of type `http`.' }),
    body: StepBody.optional().meta({
      description:
        'The JSON body to send. Strings may contain `{{ expressions }}`. A string that consists of ' +
        'one expression is replaced by its value, so it may become a number, a boolean or null. Your ' +
        'own body has no `timestamp` unless you add one, so check the `webhook-timestamp` header. ' +
        'Default: `{ id, execution_id, step_id, org_id, event: { id, type, created_at, data }, ' +
        'timestamp }`.',
    }),
  })
  .meta({
    id: 'HttpRequestStep',
    description:
      "Sends a POST request to an integration, signed like a webhook with the integration's own " +
      'secret. `webhook-id` and `X-Service-Event-Id` are `<execution id>_<step id>`, the same for ' +
      'each attempt: use them to recognize repeats. A 2xx response within 10 seconds is a success. ' +
      'Network errors, 408, 409, 425, 429 and 5xx are retried after 5 s, 1 min, 5 min, 30 min and 2' +
      ' h. Any other response fails the step. Output: `status_code` (null if there was no response)' +
      ' and `duration_ms`. To check the result, use `steps.<id>.status == "succeeded"` or ' +
      '`steps.<id>.status_code == 200`. A comparison with `<` or `>` has no value if `status_code` ' +
      'is null, and `has()` is true for null.',
  });

const NotifyStep = z
  .strictObject({
    ...flow,
    type: z.literal('notify'),
    integration_id: integration_id.meta({ description: 'An integration of type `slack` or `email`.' }),
    message: TextWithExpressions(2_000).meta({
      description: 'May contain `{{ expressions }}`.',
      example: 'Payment {{ data.id }} has failed.',
    }),
    subject: TextWithExpressions(200)
      .refine((text) => ONE_LINE.test(text), 'Must be one line.')
      .optional()
      .meta({ description: 'The subject of the email. May contain `{{ expressions }}`.' }),
  })
  .meta({
    id: 'NotifyStep',
    description:
      'Notifies people: posts a message to a Slack channel, or sends an email to each address. ' +
      'Output: `status_code` and `duration_ms` for Slack, as with `http_request`; the numbers ' +
      '`mailed` and `rejected` for email.',
  });

const TagPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('tag_payment'),
    metadata: Tags.meta({
      description:
        'Up to 50 keys. String values may contain `{{ expressions }}`. A string that consists of one ' +
        'expression is replaced by its value, so it may become a number or a boolean. The step fails ' +
        'if the expression has no value or if the result is not allowed in metadata.',
    }),
  })
  .meta({
    id: 'TagPaymentStep',
    description:
      'Adds metadata to the payment of the event. Existing keys get the new value. Output: ' + '`payment_id`.',
  });
const CancelPaymentStep = z.strictObject({ ...flow, type: z.literal('cancel_payment') }).meta({
  id: 'CancelPaymentStep',
  description: 'Cancels the payment of the event. Output: `payment_id`, `payment_status`.',
});
const CapturePaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('capture_payment'),
    amount: Amount.optional(),
    final: z
      .boolean()
      .optional()
      .meta({ description: 'Whether what is not captured is released. False needs `multi_capture`. Default true.' }),
  })
  .meta({
    id: 'CapturePaymentStep',
    description:
      'Captures the authorized payment of the event. Without `amount`, captures the remaining amount. Output: ' +
      '`payment_id`, `capture_id`, `capture_status`.',
  });
const RefundPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('refund_payment'),
    amount: Amount.optional(),
    reason: TextWithExpressions(200)
      .optional()
      .meta({
        description:
          'May contain `{{ expressions }}`. The step fails if the resulting text is empty or longer ' +
          'than 200 characters.',
      }),
  })
  .meta({
    id: 'RefundPaymentStep',
    description:
      'Refunds the payment of the event. Without `amount`, refunds the remaining amount. Output: ' +
      '`payment_id`, `refund_id`, `refund_status`.',
  });
const PauseSubscriptionStep = z.strictObject({ ...flow, type: z.literal('pause_subscription') }).meta({
  id: 'PauseSubscriptionStep',
  description:
    "Pauses the subscription of the event, or of the event's payment. Output: `subscription_id`, " +
    '`subscription_status`.',
});
const DelayStep = z
  .strictObject({
    ...flow,
    type: z.literal('delay'),
    for: z
      .string(DELAY)
      .refine((text) => parseDelay(text) !== undefined, DELAY)
      .meta({ description: 'From 1m to 30d.', example: '2h' }),
  })
  .meta({ id: 'DelayStep' });
const ConditionStep = z
  .strictObject({
    ...anyStep,
    type: z.literal('condition'),
    if: Condition.meta({
      description: 'An expression that is true or false.',
      example: 'data.amount >= 10000 && data.currency == "EUR"',
    }),
    // biome-ignore lint/suspicious/noThenProperty: the field's name in the interface.
    then: StepId.nullable()
      .optional()
      .meta({
        description:
          'The id of the next step if the condition is true. Default: the next step in the list. ' +
          '`null`: the execution ends here.',
      }),
    else: StepId.nullable()
      .optional()
      .meta({
        description:
          'The id of the next step if the condition is false. Default, and `null`: the execution ends ' + 'here.',
      }),
  })
  .meta({
    id: 'ConditionStep',
    description:
      'Chooses the next step. If the expression has no value, because a field is missing, the step ' +
      'fails; with `on_error: "continue"` the execution continues with `else`. Output: `holds`.',
  });

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
  })
  .meta({
    description:
      'The execution starts with the first step. Each step leads to the next one in the list unless' +
      ' `next` names another. Loops are not allowed, and every step must be reachable. An ' +
      'expression may only refer to outputs of steps that can run before it, and to fields that ' +
      '`event`, `execution` and `data` can have. While a rule or a connection uses the template, ' +
      'each step must also be able to succeed for at least one of their events.',
  });
