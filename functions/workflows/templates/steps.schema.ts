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

const STEP_ID = 'Must begin with a letter and have up to 40 of a-z, 0-9 and _.';
const StepId = z.string(STEP_ID).regex(/^[a-z][a-z0-9_]{0,39}$/, STEP_ID);
const DELAY = 'Must be a length of time from 1m to 30d, such as 10m, 2h or 3d.';
const MAX_STEPS_BYTES = 32 * 1024;

/** Says why, in the words of whoever looked; nobody looks at what is no such text at all. */
const withoutFault = (text: z.ZodType<string>, faultIn: (text: string) => string | undefined) =>
  text.superRefine(
    (sent, context) => {
      const message = faultIn(sent);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    },
    { when: ({ issues }) => issues.length === 0 },
  );

const Condition = withoutFault(Text(MAX_EXPRESSION_LENGTH, 1), (text) => faultInCondition(text) ?? faultInNames(text));
export const RuleCondition = withoutFault(
  Text(MAX_EXPRESSION_LENGTH, 1),
  (text) => faultInRule(text) ?? faultInNames(text),
);
const faultInHoles = (text: string) => faultInText(text) ?? faultInNamesOfText(text);
const TextWithExpressions = (max: number) => withoutFault(Text(max, 1), faultInHoles);
const Tags = Metadata.superRefine(
  (metadata, context) => {
    for (const [name, value] of Object.entries(metadata)) {
      const message = typeof value === 'string' ? faultInHoles(value) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
    }
  },
  { when: ({ issues }) => issues.length === 0 },
);
/** The store takes no deeper ones. */
const MAX_DEPTH = 10;
const MAX_TEXT_LENGTH = 8_000;

const Name = Text(255, 1);
const Inner = Text(MAX_TEXT_LENGTH);
const Quantity = ExactNumber('Must be a number.');

/** JSON that can be stored as it was sent, and whose texts have `{{ expressions }}` that can be filled in. */
const StepBody = z.record(z.string(), z.unknown(), 'Must be an object.').superRefine((body, context) => {
  for (const { path, message } of faultsInJson(body)) context.addIssue({ code: 'custom', path: [...path], message });
});

type JsonFault = { readonly path: readonly string[]; readonly message: string };
type JsonNode = { readonly path: readonly string[]; readonly value: unknown };

function* faultsInJson(body: unknown): Generator<JsonFault> {
  const places: JsonNode[] = [{ path: [], value: body }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { path, value } = place;
    if (typeof value !== 'object' || value === null) {
      const message = faultOf(value);
      if (message !== undefined) yield { path, message };
    } else if (path.length >= MAX_DEPTH) {
      yield { path, message: `Must have at most ${MAX_DEPTH} objects and lists within each other.` };
    } else {
      yield* invalidNames(value, path);
      places.push(...Object.entries(value).map(([name, inner]) => ({ path: [...path, name], value: inner })));
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

const NO_LINES = /^\P{Cc}*$/u;

const anyStep = {
  id: StepId.meta({ description: 'What other steps and expressions call it by.', example: 'tell_us' }),
  on_error: z.enum(['stop', 'continue'], 'Must be stop or continue.').optional().meta({
    description:
      'When it has failed for good: the execution fails (`stop`, where it is left out), or goes on as if it had not.',
  }),
};
const flow = {
  ...anyStep,
  next: StepId.nullable()
    .optional()
    .meta({ description: 'The step that follows; the one that stands next where it is left out; null: none.' }),
};
const integration_id = Text(64, 1);

const HttpRequestStep = z
  .strictObject({
    ...flow,
    type: z.literal('http_request'),
    integration_id: integration_id.meta({ description: 'One of the type `http`.' }),
    body: StepBody.optional().meta({
      description:
        'What is sent, as JSON, and nothing else: a body of your own has no `timestamp` unless you give it one, so check `webhook-timestamp`. Texts in it may have `{{ expressions }}`; one that is an expression and nothing else becomes a number, true, false or null where that is what it is. Without it: `{ id, execution_id, step_id, org_id, event: { id, type, created_at, data }, timestamp }`.',
    }),
  })
  .meta({
    id: 'HttpRequestStep',
    description:
      'POST to an integration, signed as webhooks are, by its own secret. `webhook-id` and `X-Service-Event-Id` are `<execution id>_<step id>`, the same for each try: a receiver tells repeats by it. 2xx within 10 seconds is success; a network fault, 408, 409, 425, 429 and 5xx are tried again after 5 s, 1, 5 and 30 m and 2 h; other answers fail. Output: `status_code`, which is null where no answer came, and `duration_ms`. So ask `steps.<id>.status == "succeeded"`, or `steps.<id>.status_code == 200`; less and more than null has no value, and `has()` is true of it.',
  });

const NotifyStep = z
  .strictObject({
    ...flow,
    type: z.literal('notify'),
    integration_id: integration_id.meta({ description: 'One of the type `slack` or `email`.' }),
    message: TextWithExpressions(2_000).meta({
      description: 'May have `{{ expressions }}`.',
      example: 'Payment {{ data.id }} has failed.',
    }),
    subject: TextWithExpressions(200)
      .refine((text) => NO_LINES.test(text), 'Must be one line.')
      .optional()
      .meta({ description: 'Of a mail. May have `{{ expressions }}`.' }),
  })
  .meta({
    id: 'NotifyStep',
    description:
      'Tells people: by a message in a channel, or a mail to each address. Output: of a channel `status_code` and `duration_ms`, as of `http_request`; of mail `mailed` and `rejected`, how many.',
  });

const TagPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('tag_payment'),
    metadata: Tags.meta({
      description:
        'Up to 50 keys. Values that are text may have `{{ expressions }}`, as texts in the body of `http_request`: one that is an expression and nothing else becomes a number, true or false where that is what it is. The step fails where such a one has no value, and where what is filled is no value that metadata may have.',
    }),
  })
  .meta({
    id: 'TagPaymentStep',
    description:
      'Adds to the metadata of the payment that the event is about; a key that is there gets the new value. Output: `payment_id`.',
  });
const CancelPaymentStep = z.strictObject({ ...flow, type: z.literal('cancel_payment') }).meta({
  id: 'CancelPaymentStep',
  description: 'Of the payment that the event is about. Output: `payment_id`, `payment_status`.',
});
const RefundPaymentStep = z
  .strictObject({
    ...flow,
    type: z.literal('refund_payment'),
    amount: Amount.optional(),
    reason: TextWithExpressions(200).optional().meta({
      description:
        'May have `{{ expressions }}`. The step fails where the filled text has no character, or more than 200.',
    }),
  })
  .meta({
    id: 'RefundPaymentStep',
    description: 'Without `amount` all that is left is refunded. Output: `payment_id`, `refund_id`, `refund_status`.',
  });
const PauseSubscriptionStep = z.strictObject({ ...flow, type: z.literal('pause_subscription') }).meta({
  id: 'PauseSubscriptionStep',
  description:
    'Of the subscription that the event, or the payment it is about, belongs to. Output: `subscription_id`, `subscription_status`.',
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
      .meta({ description: 'Where it holds: the step that stands next where it is left out; null: none.' }),
    else: StepId.nullable()
      .optional()
      .meta({ description: 'Where it does not hold: none where it is left out, or null.' }),
  })
  .meta({
    id: 'ConditionStep',
    description:
      'Which way it goes on. An expression without a value, as a field is missing, fails the step; with `on_error: "continue"` it goes on by `else`. Output: `holds`.',
  });

export const Step = z
  .discriminatedUnion(
    'type',
    [
      HttpRequestStep,
      NotifyStep,
      TagPaymentStep,
      CancelPaymentStep,
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
    // What lies too deep can't be measured.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({
    description:
      'They begin with the first, and each leads to the one that stands next unless it says otherwise. No way leads back: a template without an end is refused, and so is a step that no way leads to, and an expression that could never have a value: of a step, under `steps`, that can not have come before or never brings such an output, of a field under `event`, `execution` or `data` that there never is. While a rule or a connection runs the template, also a step that could never work for its events.',
  });
