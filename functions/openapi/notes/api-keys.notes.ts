import type { Notes } from '#functions/openapi/word-book.ts';
import {
  FAILED_REQUEST_DAYS,
  MAX_ALIKE_PER_MINUTE,
  MAX_KEPT_PER_MINUTE,
} from '#shared/domain/reporting/failed-request.model.ts';

export const API_KEYS_NOTES = {
  CreateApiKey: {
    this:
      'A public key has no scopes and can call the public endpoints only. The other kinds need `scopes`; with an ' +
      'empty list a key can call no endpoint that requires a scope.',
    name: 'A name for people, such as where the key is used.',
    kind: '`service` and `secret` keys are for servers; a `public` key may be part of a web page.',
    scopes: 'What the key may do: at most what its creator may.',
    agent:
      '`true` for the key of a program that decides by itself: it cannot change settings, every change needs an ' +
      "idempotency key, and above the organization's limits a person has to approve what moves money.",
  },
  'CreatedApiKey, ListedApiKey, CurrentApiKey': {
    agent: 'Whether it is the key of an agent.',
  },
  CurrentApiKey: {
    this: 'What the credential of this request may do.',
    kind: 'What the request was made with: a kind of key, or a session.',
    id: 'The API key, or the session.',
    scopes: 'Of a session: those of the role.',
  },
  CreatedApiKey: {
    this: 'The only response that contains `key`.',
    key: 'The key. It is shown only this once: store it as a secret.',
  },
  'DELETE /v1/api-keys/{id}': {
    descendants:
      '`true` also revokes the keys that this key created, those that they created, and so on: also if the key ' +
      'itself was revoked before. Keys of which it was not recorded who created them stay.',
  },
  FailedRequest: {
    this: 'A request that got an error.',
    method: 'The HTTP method.',
    status: 'The HTTP status of the response.',
    credential_kind: 'What the request was made with: a kind of key, or a session.',
    client_request_id:
      'The `X-Request-Id` that the client sent. `null` without one, and if it is no such id or looks like a key or ' +
      'a card number.',
    created_at: 'When the request came.',
    request_id: 'As `X-Request-Id` of the response says it.',
    route: 'The path of the endpoint, such as `/v1/payments/{id}`.',
    resource_id: 'The id in the path. `null` without one, or if it is not one of ours.',
    code: '`code` of the response.',
    credential_id: 'The API key or the session that was used.',
  },
  FailedRequestList: {
    this:
      `Requests of the last ${FAILED_REQUEST_DAYS} days with a valid API key or session that got an error, newest ` +
      `first, for finding out why an integration fails. It is a sample: at most ${MAX_KEPT_PER_MINUTE.servers} ` +
      `requests a minute are kept, ${MAX_KEPT_PER_MINUTE.public} more of public keys, and of those that are alike ` +
      `(same credential, endpoint and code) about ${MAX_ALIKE_PER_MINUTE}. Nothing that was sent is kept, neither ` +
      'body nor query.',
    failed_requests: 'The requests of this page.',
  },
  ListedApiKey: {
    this: 'An API key without its text.',
    last_used_at: '`null` until it is used. For a public key up to an hour late.',
  },
  RevokedApiKey: {
    this: 'The key works no longer.',
    deleted: 'Always true.',
    revoked_descendants: 'The ids, if `descendants` was `true`.',
  },
  'CreatedApiKey, ListedApiKey': {
    kind: '`service` and `secret` keys are for servers; a `public` key may be part of a web page.',
    name: 'A name for people.',
    created_by: 'The API key or the user that created it, or `system`. `null` if that was not recorded.',
  },
  ApiKeyList: {
    this: "The organization's API keys, newest first.",
    api_keys: 'The keys of this page.',
  },
} as const satisfies Notes;
