import type { ErrorCode } from '#shared/kernel/errors.ts';

/** What happened, and what to do about it. */
type ErrorNote = { readonly cause: string; readonly remedy: string };

/** What each error code means to the reader of the reference: `doc_url` of an error leads to these words. */
export const ERROR_NOTES: Readonly<Record<ErrorCode, ErrorNote>> = {
  invalid_request: {
    cause: 'A field, a parameter or a header of the request is missing, unknown or has a value that is not allowed.',
    remedy:
      'Read `details.fields`: each entry names the field and what it must be. Correct the request and send it again.',
  },
  malformed_json: {
    cause: 'The body is not valid JSON, holds a name twice in one object, or is not UTF-8.',
    remedy: 'Let a JSON library write the body, and send it as UTF-8.',
  },
  unsupported_content_type: {
    cause: 'The body was sent with another content type than `application/json`, or in another charset than UTF-8.',
    remedy: 'Send the header `Content-Type: application/json`.',
  },
  malformed_gzip: {
    cause: 'The request says `Content-Encoding: gzip`, but its body is not valid gzip.',
    remedy: 'Compress the body again, or send it without `Content-Encoding`.',
  },
  unsupported_content_encoding: {
    cause: 'The body was compressed in another way than gzip.',
    remedy: 'Send the body with `Content-Encoding: gzip`, or uncompressed.',
  },
  body_too_large: {
    cause:
      'The body is larger than a request may be. The limit also holds for a compressed body once it is decompressed.',
    remedy: 'Send less: shorter metadata, fewer order lines, fewer items in one request.',
  },
  raw_card_data: {
    cause: 'The request holds what looks like a card number. This API never receives card numbers.',
    remedy:
      "Send a token of the provider in its place, or let the customer enter the card on the provider's page. If it " +
      'is another number, write before it what it is, such as SIRET or IMEI.',
  },
  org_id_required: {
    cause: 'A request with `X-Service-Key` or with a session does not say which organization it is for.',
    remedy: 'Send the id of the organization in the header `X-Org-Id`.',
  },
  idempotency_key_required: {
    cause: 'This operation moves money or creates something that must not exist twice, and the request has no key.',
    remedy: 'Send the header `Idempotency-Key` with a text that is new for each operation, such as a UUID.',
  },
  idempotency_key_invalid: {
    cause: 'The idempotency key is empty, too long or not visible ASCII, or its two headers differ.',
    remedy: 'Send one header `Idempotency-Key` with 1 to 255 visible ASCII characters.',
  },
  provider_immutable: {
    cause: 'The request would change the provider of an existing connection.',
    remedy: 'Create another connection for the other provider.',
  },
  mode_immutable: {
    cause: 'The request would change the mode of an existing connection.',
    remedy: 'Create another connection with the other mode.',
  },
  mode_not_allowed: {
    cause: 'The sandbox was asked for a connection with live credentials.',
    remedy: 'Use the base URL and an API key of the live stage, or send `mode: "sandbox"` with test credentials.',
  },
  url_not_allowed: {
    cause: 'The URL is not a public https address on an allowed port, or it is an address of this service.',
    remedy: 'Send an https URL on port 443 or 8443 whose name leads to public addresses, without user information.',
  },
  workflow_loop: {
    cause: 'The steps of the template, or rules that start each other, would run in a circle.',
    remedy: 'Read `details`, which names the steps or the rules, and break the circle.',
  },
  refund_exceeds_remaining: {
    cause: 'The refund is larger than what is left of the payment after earlier refunds.',
    remedy: 'Refund at most `details.remaining`.',
  },
  capture_exceeds_authorized: {
    cause: 'The capture is larger than what is left of the authorization.',
    remedy: 'Capture at most `details.remaining`.',
  },
  amount_not_supported: {
    cause: 'The provider cannot express exactly this amount in this currency.',
    remedy: 'Send another amount, usually one without the last digit.',
  },
  webhook_unroutable: {
    cause: 'A callback of a provider belongs to no payment that was made here.',
    remedy:
      'Register `callback_url` of the connection at the provider, with its query. Remove addresses of deleted ' +
      'connections there.',
  },
  invalid_api_key: {
    cause: 'The API key is missing, unknown or revoked.',
    remedy:
      'Send a valid key as `Authorization: Bearer`, or in `X-Service-Key` together with `X-Org-Id`. Create a new ' +
      'key if this one was revoked.',
  },
  wrong_stage: {
    cause:
      'The API key belongs to the other stage: a sandbox key was used in production, or a live key in the sandbox.',
    remedy: 'Use the base URL of the stage that the key was made for. The message names it.',
  },
  invalid_session: {
    cause: 'There is no session, or it has ended. Some endpoints take no API keys.',
    remedy: 'Sign in and send the session cookie.',
  },
  invalid_link: {
    cause: 'The link of an email has expired, was already used, or was sent to another address.',
    remedy: 'Request a new link.',
  },
  totp_required: {
    cause: 'The user has turned on two-factor authentication, and the request has no code.',
    remedy: 'Send a code of the authenticator app or a recovery code in `code`.',
  },
  invalid_code: {
    cause: 'The code is wrong or was already used.',
    remedy: 'Wait for the next code of the authenticator app, or use another recovery code.',
  },
  invalid_passkey: {
    cause: 'The passkey could not be verified: its challenge has expired, or it belongs to another user or site.',
    remedy: 'Start again with new options.',
  },
  fresh_proof_required: {
    cause:
      'The change could lock the user out or let somebody else in, and the session has not proved lately who it is.',
    remedy: 'Send one of `details.methods` to `POST /v1/auth/prove`, then repeat the request.',
  },
  invalid_signature: {
    cause: 'The signature of a callback is missing or wrong: it does not prove that the provider sent it.',
    remedy:
      'Compare the address at the provider with `callback_url` of the connection, and the webhook secret there with ' +
      'the one in its credentials.',
  },
  plan_limit_reached: {
    cause:
      'The organization has used up what its plan includes. `details` has the metric, what is used, and the limit.',
    remedy: 'Upgrade the plan, or wait until `details.reset`. The same idempotency key may be sent again.',
  },
  feature_not_in_plan: {
    cause: 'The plan of the organization does not include this feature.',
    remedy: 'Upgrade to a larger plan.',
  },
  missing_scope: {
    cause: 'The API key, or the role of the signed-in user, lacks the scope that this operation requires.',
    remedy: 'Use a key with the scope that the message names, or ask an administrator of the organization.',
  },
  missing_role: {
    cause: 'The operation requires a higher role, in the organization or on the platform.',
    remedy: 'Ask an owner to make the change or to give you the role.',
  },
  second_factor_required: {
    cause: 'Administrators of the platform need a second factor.',
    remedy: 'Add a passkey or turn on two-factor authentication, then sign in again.',
  },
  own_organization: {
    cause: 'Nobody may approve an organization of which they are a member.',
    remedy: 'Let another administrator of the platform decide.',
  },
  bad_origin: {
    cause: 'A browser sent the request from a page that is not part of the dashboard.',
    remedy: "Call the endpoint from a server with an API key, or from the dashboard's own pages.",
  },
  org_mismatch: {
    cause:
      'The API key belongs to another organization than `X-Org-Id` names, or the user is not a member of that one.',
    remedy: 'Send the id of the organization that the key belongs to, or open the link of the invitation first.',
  },
  scope_escalation: {
    cause: 'The new API key would have scopes that its creator does not have.',
    remedy: 'Leave these scopes out, or let somebody who has them create the key.',
  },
  own_recovery: {
    cause: 'Administrators cannot decide about the recovery of their own account.',
    remedy: 'Let another administrator of the platform decide.',
  },
  kyc_required: {
    cause: 'Live keys and live payments need an approved identity verification (KYC) of the organization.',
    remedy: 'Work in the sandbox until the operator of the service has approved the organization.',
  },
  organization_quarantined: {
    cause: 'The operator of the service has stopped this organization. Payments under way still settle.',
    remedy: 'Contact the operator.',
  },
  agent_not_allowed: {
    cause: "An agent's key cannot do this.",
    remedy: 'Let a member of the organization do it in the dashboard.',
  },
  approval_required: {
    cause: "An agent's request would move more than the organization lets agents move by themselves.",
    remedy:
      'Let a person approve it at `details.approve_at`, then repeat the request unchanged, with the same ' +
      'idempotency key.',
  },
  approval_rejected: {
    cause: 'A person has rejected this request of an agent.',
    remedy: 'Do not send it again.',
  },
  not_found: {
    cause: 'There is no such object in this organization. An object of another organization gets the same response.',
    remedy: 'Check the id, the stage and the organization of the key.',
  },
  route_not_found: {
    cause: 'There is no endpoint at this path.',
    remedy: 'Compare the path with the reference.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this idempotency key is still running.',
    remedy: 'Wait as long as `Retry-After` says, then repeat the request with the same key.',
  },
  setup_limit_reached: {
    cause: "The organization's connections, routing rules and tests would become more than a payment can read at once.",
    remedy: 'Delete or shorten some of them. What makes the setup smaller is always accepted.',
  },
  outcome_unknown: {
    cause: 'The provider has not said how the request ended. It may have taken effect.',
    remedy: 'Do not start the operation anew. Repeat the request with its own key later, or read the object.',
  },
  payment_not_confirmable: {
    cause: 'The payment was confirmed before, has ended, or its invoice or link no longer takes it.',
    remedy: 'Read the payment. Create a new one to charge again.',
  },
  payment_not_cancelable: {
    cause: 'The payment has ended, or its provider can no longer stop it.',
    remedy: 'Refund the payment once it has succeeded.',
  },
  payment_not_capturable: {
    cause: 'The payment is not authorized, is captured already, or its connection cannot make this capture.',
    remedy:
      'Read `status` and `capturable_until` of the payment. Capture all that is left if partial captures are refused.',
  },
  payment_not_retryable: {
    cause: 'The payment has not failed, or was declined in a way that forbids another attempt with the same method.',
    remedy: 'Send another `payment_method`, or create a new payment.',
  },
  retry_budget_exhausted: {
    cause: 'The card was declined as often as the card networks allow within this time.',
    remedy: 'Wait until `details.available_at`, or ask the customer for another card.',
  },
  payment_not_refundable: {
    cause: 'The payment has not succeeded, is refunded already, or its connection makes no such refund.',
    remedy: "Read the payment. If the connection cannot refund it, refund it in the provider's dashboard.",
  },
  payment_disputed: {
    cause: 'The customer disputes the payment, and the provider withholds its money: a refund could pay them twice.',
    remedy: 'Answer the dispute, or send `force: true` to refund all the same.',
  },
  dispute_not_answerable: {
    cause: 'The dispute has ended, its time is over, or it has its answer.',
    remedy: 'Read the dispute. Nothing more can be sent.',
  },
  dispute_answer_refused: {
    cause: 'The provider refused the evidence. The message says why.',
    remedy: 'Correct the evidence and send it again before the dispute is due.',
  },
  dispute_answer_unsupported: {
    cause: 'The provider takes no such answer through its API.',
    remedy: "Answer the dispute in the provider's dashboard.",
  },
  connection_in_use: {
    cause: 'Routing rules use the connection.',
    remedy: 'Change or delete these rules first.',
  },
  routing_rule_in_use: {
    cause: 'A started A/B test uses the routing rule.',
    remedy: 'Complete the test first.',
  },
  ab_test_not_startable: {
    cause: 'Only a draft or a paused A/B test can be started.',
    remedy: 'Create a new test.',
  },
  ab_test_not_pausable: {
    cause: 'Only a running A/B test can be paused.',
    remedy: 'Read `status` of the test.',
  },
  ab_test_not_completable: {
    cause: 'Only a running or paused A/B test can be completed.',
    remedy: 'Read `status` of the test.',
  },
  ab_test_not_editable: {
    cause: 'The A/B test is completed, or its `end_at` has passed.',
    remedy: 'Create a new test.',
  },
  ab_test_has_run: {
    cause: 'The A/B test has been started: a change of its variants or its start would make the results meaningless.',
    remedy: 'Change other fields only, or create a new test.',
  },
  ab_test_overlap: {
    cause: 'A running A/B test targets some of the same payments.',
    remedy: 'Pause or complete `details.ab_test_id`, or change the targets.',
  },
  ab_test_limit: {
    cause: 'As many A/B tests run as an organization may run at once.',
    remedy: 'Pause or complete one first.',
  },
  ab_test_rule_missing: {
    cause: 'The routing rule of a variant was deleted.',
    remedy: 'Give the variant another rule.',
  },
  passkey_limit: {
    cause: 'The user has as many passkeys as a user may have.',
    remedy: 'Delete one first.',
  },
  payment_method_limit: {
    cause: 'The customer has as many saved payment methods as a customer may have.',
    remedy: 'Delete one that is no longer used.',
  },
  payment_method_in_use: {
    cause: 'A subscription is charged with this payment method.',
    remedy: 'Give the subscription in `details.subscription_id` another one, or cancel it.',
  },
  customer_being_erased: {
    cause: 'The data of this customer is being erased.',
    remedy: 'Wait until `GET /v1/customers/{customer_id}` shows no erasure any more.',
  },
  customer_in_use: {
    cause: 'The customer has a subscription that is not canceled.',
    remedy: 'Cancel the subscription in `details.subscription_id` first.',
  },
  payment_link_not_active: {
    cause: 'The payment link has expired, was deactivated, or has all its payments.',
    remedy: 'Create a new link.',
  },
  subscription_canceled: {
    cause: 'The subscription is canceled, which is final.',
    remedy: 'Create a new subscription.',
  },
  subscription_not_resumable: {
    cause: 'The subscription is active and no cancel is scheduled.',
    remedy: 'Nothing has to be done.',
  },
  invoice_not_retryable: {
    cause: 'The invoice is not failed, or its payment method will not be approved.',
    remedy: 'Update the payment method of the subscription, then retry.',
  },
  invoice_not_cancelable: {
    cause: 'The invoice is paid or canceled already.',
    remedy: 'Refund the payment of a paid invoice.',
  },
  workflow_integration_in_use: {
    cause: 'A workflow template uses the integration.',
    remedy: 'Change the steps of that template first.',
  },
  workflow_integration_disabled: {
    cause: 'The integration that a step uses is disabled.',
    remedy: 'Enable it with `PATCH /v1/workflows/integrations/{id}`.',
  },
  workflow_template_in_use: {
    cause: 'A rule or a connection runs the workflow template.',
    remedy: 'Delete the rule or take the template out of the connection first.',
  },
  workflow_limit_reached: {
    cause: 'The organization has as many workflow definitions, or rules for one event, as it may have.',
    remedy: 'Delete one that is no longer used.',
  },
  workflow_execution_over: {
    cause: 'The workflow execution has ended.',
    remedy: 'Start a new execution if it is to run again.',
  },
  webhooks_disabled: {
    cause: 'Webhooks are disabled, so nothing can be sent.',
    remedy: 'Save the webhook configuration with `enabled: true` first.',
  },
  legal_name_changed: {
    cause: 'The organization has changed its legal name since the review began.',
    remedy: 'Read the organization and review it again.',
  },
  legal_name_missing: {
    cause: 'An organization without a legal name cannot be approved.',
    remedy: 'Let its owner set `legal_name` first.',
  },
  capacity_only_grows: {
    cause: 'The lists of an organization can be spread over more partitions, and never over fewer.',
    remedy: 'Choose at least the present number.',
  },
  last_platform_owner: {
    cause: 'The platform needs at least one owner.',
    remedy: 'Make somebody else an owner first.',
  },
  totp_enabled: {
    cause: 'Two-factor authentication is on already.',
    remedy: 'Turn it off before you set it up again.',
  },
  totp_not_set_up: {
    cause: 'Two-factor authentication was not set up.',
    remedy: 'Set it up first with `POST /v1/auth/2fa/setup`.',
  },
  totp_not_enabled: {
    cause: 'Two-factor authentication is off.',
    remedy: 'Nothing has to be done.',
  },
  mail_not_configured: {
    cause: 'This stage has no mail sender, so nobody can get a link.',
    remedy: 'Sign in with a passkey, or ask the operator to set up a mail sender.',
  },
  recovery_waiting: {
    cause: 'The account recovery is not approved yet, or its waiting time is not over.',
    remedy: 'Wait for the email, or until the time that the message names.',
  },
  recovery_not_needed: {
    cause: 'The account has neither passkeys nor a second factor.',
    remedy: 'Sign in with a link.',
  },
  recovery_not_open: {
    cause: 'The account recovery was decided, stopped or finished, has expired, or there is a newer request.',
    remedy: 'Read the recoveries again and look at the newest one.',
  },
  last_owner: {
    cause: 'The organization would lose its only owner who has signed in.',
    remedy: 'Make somebody else an owner first, and let them sign in.',
  },
  member_limit_reached: {
    cause: 'The organization has as many members as it may have.',
    remedy: 'Remove one first.',
  },
  approval_not_open: {
    cause: 'The request of the agent was decided already, or has expired. Nothing was changed.',
    remedy: 'If it was approved, the agent may repeat it. Otherwise let it ask again, with a new idempotency key.',
  },
  approval_limit_reached: {
    cause: 'As many requests of agents wait for approval as may wait at once.',
    remedy: 'Decide about some of them in the dashboard, then repeat the request.',
  },
  secret_rotation_limit: {
    cause: 'As many previous webhook secrets are still valid as may be valid at once.',
    remedy: 'Wait until the oldest expires, or send `expire_previous: true` to revoke all of them now.',
  },
  write_conflict: {
    cause: 'Other requests were changing the same object at the same time, and all tries lost the race.',
    remedy: 'Repeat the request.',
  },
  record_full: {
    cause: 'The object has no room for this change, such as another refund or more metadata.',
    remedy: 'Send less metadata, or create a new object.',
  },
  idempotency_key_reused: {
    cause: 'The idempotency key was used for a different request, or by another credential.',
    remedy: 'To see how the first request ended, repeat it unchanged. Use a new key only for a new operation.',
  },
  rate_limited: {
    cause: 'The key or the address has sent more requests than its rate limit allows.',
    remedy: 'Wait as long as `Retry-After` says. Spread requests over time.',
  },
  internal_error: {
    cause: 'Something went wrong in this service. The cause is in its log, not in the response.',
    remedy: 'Repeat the request with the same idempotency key. If it stays, send `X-Request-Id` to support.',
  },
  provider_error: {
    cause: 'The provider could not be reached, or refused the call. Nothing was done.',
    remedy: 'Try again. If it stays, test the connection and look at its health.',
  },
  events_waiting: {
    cause: 'Too many events of this object wait to be sent, so that it cannot take another change.',
    remedy: 'Wait as long as `Retry-After` says, then repeat the request with the same key.',
  },
  service_unavailable: {
    cause: 'The service cannot work at the moment: its store does not answer.',
    remedy: 'Wait as long as `Retry-After` says, then repeat the request with the same key.',
  },
  storage_full: {
    cause: "The disk of a host of one's own is nearly full, so that it takes no new writes.",
    remedy: 'Free space on the disk of the host. Reading still works.',
  },
};
