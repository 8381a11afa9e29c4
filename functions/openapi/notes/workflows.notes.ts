import type { Notes } from '#functions/openapi/word-book.ts';
import { MASKED } from '#shared/domain/workflows/workflow-integration.rules.ts';

const STEPS_WITH_NEXT = [
  'CancelPaymentStep',
  'CapturePaymentStep',
  'DelayStep',
  'HttpRequestStep',
  'NotifyStep',
  'PauseSubscriptionStep',
  'RefundPaymentStep',
  'TagPaymentStep',
].join(', ');
const EVERY_STEP = `${STEPS_WITH_NEXT}, ConditionStep`;

export const WORKFLOWS_NOTES: Notes = {
  CancelPaymentStep: {
    this: 'Cancels the payment of the event. Output: `payment_id`, `payment_status`.',
  },
  CapturePaymentStep: {
    this:
      'Captures the authorized payment of the event. Without `amount`, captures the remaining amount. Output: ' +
      '`payment_id`, `capture_id`, `capture_status`.',
    final: 'Whether what is not captured is released. False needs `multi_capture`. Default true.',
  },
  ConditionStep: {
    this:
      'Chooses the next step. If the expression has no value, because a field is missing, the step fails; with ' +
      '`on_error: "continue"` the execution continues with `else`. Output: `holds`.',
    if: 'An expression that is true or false.',
    '.then':
      'The id of the next step if the condition is true. Default: the next step in the list. `null`: the execution ' +
      'ends here.',
    else: 'The id of the next step if the condition is false. Default, and `null`: the execution ends here.',
  },
  CreateIntegration: {
    this: 'A server, an address or a channel that steps write to.',
    type:
      'Steps of the type `http_request` use `http`, which gets a signing secret. Steps of the type `notify` use ' +
      '`slack` or `email`.',
  },
  DelayStep: {
    this: 'Waits.',
    for: 'From 1m to 30d.',
  },
  HttpIntegration: {
    this: 'Requests to a server of yours.',
    'config.url': 'Where requests go.',
    'config.headers': `Each value as \`${MASKED}\`.`,
    signing_secret:
      'The secret that signs requests, as with webhooks. Returned in full when one integration is read with the ' +
      'scope `workflows:write`; masked otherwise.',
  },
  HttpRequestStep: {
    this:
      "Sends a POST request to an integration, signed like a webhook with the integration's own secret. " +
      '`webhook-id` and `X-Service-Event-Id` are `<execution id>_<step id>`, the same for each attempt: use them to ' +
      'recognize repeats. A 2xx response within 10 seconds is a success. Network errors, 408, 409, 425, 429 and 5xx ' +
      'are retried after 5 s, 1 min, 5 min, 30 min and 2 h. Any other response fails the step. Output: ' +
      '`status_code` (null if there was no response) and `duration_ms`. To check the result, use `steps.<id>.status ' +
      '== "succeeded"` or `steps.<id>.status_code == 200`. A comparison with `<` or `>` has no value if ' +
      '`status_code` is null, and `has()` is true for null.',
    integration_id: 'An integration of type `http`.',
    body:
      'The JSON body to send. Strings may contain `{{ expressions }}`. A string that consists of one expression is ' +
      'replaced by its value, so it may become a number, a boolean or null. Your own body has no `timestamp` unless ' +
      'you add one, so check the `webhook-timestamp` header. Default: `{ id, execution_id, step_id, org_id, event: ' +
      '{ id, type, created_at, data }, timestamp }`.',
  },
  Integration: {
    this: 'An external service that workflows can call or notify.',
  },
  IntegrationConfig: {
    this: 'Where the integration leads. Its fields depend on the type.',
    url:
      'For `http`: where requests go, an https URL on port 443 or 8443 with a public address, and not this API. It ' +
      'is shown to clients, so put secrets into headers. For `slack`: the address of an incoming webhook, of Slack ' +
      'or a compatible service. It is a secret, and shown without its path.',
    headers: 'For `http`: sent with each request. Names are stored in lower case. Values are secrets and never shown.',
    to:
      'For `email`: one address or several. Until identity verification is approved, these must be addresses of ' +
      'members who have signed in.',
  },
  NotifyStep: {
    this:
      'Notifies people: posts a message to a Slack channel, or sends an email to each address. Output: ' +
      '`status_code` and `duration_ms` for Slack, as with `http_request`; the numbers `mailed` and `rejected` for ' +
      'email.',
    integration_id: 'An integration of type `slack` or `email`.',
    message: 'May contain `{{ expressions }}`.',
    subject: 'The subject of the email. May contain `{{ expressions }}`.',
  },
  PauseSubscriptionStep: {
    this:
      "Pauses the subscription of the event, or of the event's payment. Output: `subscription_id`, " +
      '`subscription_status`.',
  },
  RefundPaymentStep: {
    this:
      'Refunds the payment of the event. Without `amount`, refunds the remaining amount. Output: `payment_id`, ' +
      '`refund_id`, `refund_status`.',
    reason:
      'May contain `{{ expressions }}`. The step fails if the resulting text is empty or longer than 200 characters.',
  },
  SlackIntegration: {
    this: 'Messages to a Slack channel.',
    'config.url': 'Without its path.',
  },
  StartWorkflowExecution: {
    this: 'Runs a template now for an existing event of any type and age.',
    event_id: 'The event that it runs for.',
  },
  TagPaymentStep: {
    this: 'Adds metadata to the payment of the event. Existing keys get the new value. Output: `payment_id`.',
    metadata:
      'Up to 50 keys. String values may contain `{{ expressions }}`. A string that consists of one expression is ' +
      'replaced by its value, so it may become a number or a boolean. The step fails if the expression has no value ' +
      'or if the result is not allowed in metadata.',
  },
  UpdateIntegration: {
    this:
      'Fields that are not sent stay, also within `config`. The type never changes. `headers` replaces all headers. ' +
      `A value sent as \`${MASKED}\` stays, as long as \`url\` has the same server. An address of \`slack\` that is ` +
      'sent as it is shown stays.',
  },
  UpdateWorkflowRule: {
    this: 'Fields that are not sent keep their values.',
  },
  UpdateWorkflowTemplate: {
    this:
      'Fields that are not sent keep their values. Each change creates a new version. Running executions keep the ' +
      'version they started with.',
  },
  WorkflowExecution: {
    this: 'One run of a template for one event.',
    event: 'The event that it runs for.',
    'event.id': 'The id of the event.',
    'event.type': 'The type of the event.',
    error: 'Why it failed. Null if it did not.',
    started_at: 'When its first step began. Null until then.',
    template_version: 'The version of the template that it runs.',
    rule_id: 'The rule that started the execution. Null if none did.',
    connection_id:
      'The connection whose `workflow_id` started the execution. If `rule_id` is null too, a request started it.',
    status:
      "`waiting`: for a delay, or for the retry of a step. `refused`: the execution never ran, because the plan's " +
      'limit for the month was reached or a resource was deleted; see `error`.',
    steps: 'The steps that have started, in order.',
    next_step_at: 'When the execution continues. Null while it is running and after it has ended.',
    created_at: 'The time of the event, or of the request that started the execution.',
  },
  WorkflowExecutionList: {
    this:
      'Newest first. With a filter, a page may have fewer than `limit` items, or none, while `has_more` is true. ' +
      'Follow the `Link` header.',
    executions: 'The executions of this page.',
  },
  WorkflowRule: {
    this:
      'Runs a template for each event of a type. It applies to events that happen after the rule was created or ' +
      'enabled, or after its event, condition or template was changed. At most ten rules can have the same event ' +
      'type. A rule is rejected if rules, enabled or not, would trigger each other in an endless loop, or if its ' +
      'template has a step that can never succeed for such an event.',
    event: 'The event type that starts it.',
    condition: 'An expression over `event` and `data`. Null: all events.',
    enabled: 'Whether it is used.',
    priority: 'The order of rules that match the same event, highest first.',
    name: 'A name for people.',
  },
  WorkflowStepRun: {
    this: 'How a step ran.',
    id: 'The id of the step in its template.',
    type: 'What the step does.',
    error: 'Why it failed. Null if it did not.',
    status:
      '`running`: the step is running, waits for a retry, or is a delay that has not ended. `canceled`: a delay ' +
      'during which the execution was canceled. `failed` with `outcome_unknown`: the step was running when the ' +
      'execution ended, and may have moved money. The outcome replaces this status once it is known.',
    tries: 'The number of attempts, including a running one.',
    started_at: 'When the first attempt started.',
    ended_at: 'Null while the step is `running`. A delay ends when the execution continues.',
    output: 'Available to expressions of later steps as `steps.<id>`, together with `status`.',
  },
  WorkflowTemplate: {
    this: 'A list of steps. A rule or a connection runs it.',
    steps: 'Its steps.',
    version: 'Increases with each change, starting at 1.',
  },
  'CapturePaymentStep, RefundPaymentStep': {
    amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
  },
  'CreateIntegration, UpdateIntegration': {
    config: 'Where it leads. Its fields depend on `type`.',
    enabled: 'Steps that use a disabled integration fail.',
  },
  'CreateWorkflowRule, UpdateWorkflowRule': {
    event: 'The event type that starts it.',
    enabled: 'Whether it is used.',
    condition:
      'An expression over `event` and `data`. The rule applies to events for which it is true; null applies to all ' +
      'events. It may only refer to fields that events of this type can have.',
    priority:
      'If an event matches more rules than the plan allows executions, the rules with the highest priority run; ' +
      'among equals, the oldest. A workflow of a connection comes last. Executions start in this order but run in ' +
      'parallel.',
  },
  'CreateWorkflowTemplate, UpdateWorkflowTemplate': {
    steps:
      'The execution starts with the first step. Each step leads to the next one in the list unless `next` names ' +
      'another. Loops are not allowed, and every step must be reachable. An expression may only refer to outputs of ' +
      'steps that can run before it, and to fields that `event`, `execution` and `data` can have. While a rule or a ' +
      'connection uses the template, each step must also be able to succeed for at least one of their events.',
  },
  [STEPS_WITH_NEXT]: {
    next: 'The id of the next step. Default: the next step in the list. `null`: the execution ends here.',
  },
  StepId: {
    this: 'Other steps and expressions refer to the step by this id.',
  },
  [EVERY_STEP]: {
    type: 'What the step does.',
    on_error:
      'What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the ' +
      'execution continues with the next step.',
  },
  WorkflowRuleList: {
    this: 'Rules, newest first.',
    rules: 'The rules of this page.',
  },
  CreateWorkflowRule: {
    this: 'Which template runs for which events.',
  },
  CreateWorkflowTemplate: {
    this: 'Steps that a rule or a connection can run.',
  },
  WorkflowTemplateList: {
    this: 'Templates, newest first.',
    templates: 'The templates of this page.',
  },
  WorkflowStep: {
    this: 'One step of a workflow.',
  },
  WorkflowError: {
    this: 'Why a step failed.',
    code: 'What happened.',
    message: 'One sentence for people.',
    details: 'More about it, by code.',
  },
  'GET /v1/workflows/executions': {
    status: 'Only executions with this status.',
    template_id: 'Only executions of this template.',
  },
  IntegrationList: {
    this: 'Integrations, newest first.',
    integrations: 'The integrations of this page.',
  },
  EmailIntegration: {
    this: 'Mails to members.',
    'config.to': 'The addresses, of members of the organization.',
  },
  'EmailIntegration, HttpIntegration, SlackIntegration': {
    type: 'What kind of integration it is.',
    config: 'Where it leads.',
    enabled: 'Whether steps may use it.',
  },
};
