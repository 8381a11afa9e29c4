import { FraudPolicyReply, SaveFraudPolicyBody } from '#functions/policies/fraud-policy.schema.ts';
import { getFraudPolicy, saveFraudPolicy } from '#functions/policies/fraud-policy.usecase.ts';
import {
  ListRetryPoliciesQuery,
  RetryPoliciesReply,
  RetryPolicyQuery,
  RetryPolicyReply,
  SaveRetryPolicyBody,
} from '#functions/policies/retry-policy.schema.ts';
import { getRetryPolicy, listRetryPolicies, saveRetryPolicy } from '#functions/policies/retry-policy.usecase.ts';
import { get, list, post } from '#shared/http/route.ts';

export const policyRoutes = [
  get('/v1/policies/fraud', {
    scope: 'fraud:read',
    summary: 'Get the fraud policy',
    reply: FraudPolicyReply,
    run: getFraudPolicy,
  }),
  post('/v1/policies/fraud', {
    scope: 'fraud:write',
    summary: 'Update the fraud policy',
    body: SaveFraudPolicyBody,
    reply: FraudPolicyReply,
    errors: ['setup_limit_reached', 'write_conflict'],
    run: saveFraudPolicy,
  }),
  get('/v1/policies/retry', {
    scope: 'subscriptions:read',
    summary: 'Get a retry policy',
    query: RetryPolicyQuery,
    reply: RetryPolicyReply,
    errors: ['not_found'],
    run: getRetryPolicy,
  }),
  post('/v1/policies/retry', {
    scope: 'subscriptions:write',
    summary: 'Update a retry policy',
    body: SaveRetryPolicyBody,
    reply: RetryPolicyReply,
    errors: ['write_conflict'],
    run: saveRetryPolicy,
  }),
  list('/v1/policies/retry/list', {
    scope: 'subscriptions:read',
    summary: 'List retry policies',
    query: ListRetryPoliciesQuery,
    reply: RetryPoliciesReply,
    run: listRetryPolicies,
  }),
];
