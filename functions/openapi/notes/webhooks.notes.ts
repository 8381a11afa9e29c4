import type { Notes } from '#functions/openapi/word-book.ts';
import { BULK_REPLAY_BUDGET, RESEND_AFTER } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import { MAX_ATTEMPTS_KEPT } from '#shared/domain/webhooks/delivery.rules.ts';
import { MAX_RESPONSE_CHARACTERS } from '#shared/domain/webhooks/response-start.rules.ts';
import { PREVIOUS_SECRET_VALID } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { DISABLE_AFTER, DISABLE_FROM_ATTEMPT } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

export const WEBHOOKS_NOTES = {
  ConfigureWebhook: {
    this: 'Replaces the whole configuration; only the signing secret stays.',
    events: 'Which event types to send. `*` for all.',
    enabled: 'Whether events are sent.',
    url:
      'An https address on port 443 or 8443 without user information, of a server that is reachable on the public ' +
      'internet.',
  },
  Event: {
    this: 'Something that happened, and how its delivery went.',
    type: 'What happened. Unknown types may be added: ignore them.',
    status: '`skipped`: webhooks were off, or the type was not asked for.',
    created_at: 'When it happened.',
    'attempts[].at': 'When it was sent.',
    'attempts[].status_code': 'The HTTP status of your endpoint. Null without a response.',
    'attempts[].duration_ms': 'How long it took, in milliseconds.',
    'attempts[].error': 'What went wrong. Null if nothing did.',
    next_attempt_at: 'When the next attempt is due. Null: none is.',
    data: 'The resource as it was when the event occurred. Of a payment it holds the main fields.',
    attempts: `At most ${MAX_ATTEMPTS_KEPT}: the first and the newest.`,
    'attempts[].response':
      `The start of your endpoint's response, at most ${MAX_RESPONSE_CHARACTERS} characters, of the newest attempt ` +
      'that got one other than 2xx. Numbers like those of cards, tokens and signatures are left out.',
  },
  EventList: {
    this: 'Newest first. A page may hold fewer than `limit` events, or none: while `has_more` is true, follow `Link`.',
    events: 'The events of this page.',
  },
  ReplayFailedEvents: {
    this: 'Which failed events to send again.',
    type: 'Only events of this type.',
    since:
      'Events created at this time or later. Attempts go on for two days, so after an outage begin two days before it.',
    until: 'Events created before this time. Now, if omitted.',
  },
  ReplayOfFailedEvents: {
    this: 'The replay has begun.',
    since: 'Events created at this time or later.',
    until: 'Events created before this time.',
    type: 'Only events of this type. Null: all.',
    accepted: 'Events are replayed from now on, oldest first. Disabling webhooks ends the replay.',
    joined:
      'True if a replay of the organization was still running. These events were added to it, and each event is ' +
      `sent once in it. An event that the replay before has sent is sent again ${RESEND_AFTER / MINUTE} minutes ` +
      `after that. A replay sends ${BULK_REPLAY_BUDGET.sends} events in ${BULK_REPLAY_BUDGET.window / MINUTE} ` +
      'minutes at most, and then pauses.',
  },
  RotateWebhookSecret: {
    this: 'Makes a new signing secret.',
    expire_previous:
      'For a leaked secret: revokes all previous secrets now. Otherwise the previous secret signs for ' +
      `${PREVIOUS_SECRET_VALID / HOUR} more hours.`,
  },
  WebhookAudit: {
    this: 'A change of the webhook configuration.',
    action: 'What was done.',
    metadata: 'Details of the change.',
    created_at: 'When it was done.',
    id: 'Counts 1, 2, 3 …',
    actor_id: '`X-Actor-Id`, or the credential where that was not sent; `system` where the service made the change.',
    actor_claimed: 'Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified.',
    'metadata.changes': 'By field. Of secrets it says only that they changed.',
    'metadata.credential_id': 'Null where the service made the change.',
    'metadata.reason': 'Why the service disabled webhooks.',
  },
  WebhookConfig: {
    this: 'Where events are sent.',
    url: 'Your endpoint.',
    events: 'Which event types are sent. `*` for all.',
    enabled: 'Whether events are sent.',
    disabled_at: 'Since when webhooks are disabled; null while they are enabled.',
    disabled_reason:
      'Why the service disabled webhooks: the endpoint responded with 410 (`gone`), or failed every delivery for ' +
      `${DISABLE_AFTER / DAY} days and an event for the ${DISABLE_FROM_ATTEMPT}th time or later (\`failing\`). Null ` +
      'while webhooks are enabled, or where a person disabled them. Events of that time are `failed`, and can be ' +
      'replayed once webhooks are enabled.',
    signing_secret: 'Complete with the scope `webhooks:write`, masked otherwise.',
    previous_secret_expires_at:
      'After a rotation: until this time `webhook-signature` carries a signature by each valid secret, newest ' +
      'first, and `X-Service-Signature` is made with the oldest valid one. Null where only the newest secret signs.',
  },
  'GET /v1/webhooks/events': {
    type: 'Only events of this type.',
    status: 'Only events with this delivery status.',
  },
} as const satisfies Notes;
