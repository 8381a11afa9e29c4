import { FraudPolicyReply, SaveFraudPolicyBody } from '#functions/policies/fraud-policy.schema.ts';
import { getFraudPolicy } from '#functions/policies/get-fraud-policy.usecase.ts';
import { getRetryPolicy } from '#functions/policies/get-retry-policy.usecase.ts';
import { listRetryPolicies } from '#functions/policies/list-retry-policies.usecase.ts';
import {
  ListRetryPoliciesQuery,
  RetryPoliciesReply,
  RetryPolicyQuery,
  RetryPolicyReply,
  SaveRetryPolicyBody,
} from '#functions/policies/retry-policy.schema.ts';
import { saveFraudPolicy } from '#functions/policies/save-fraud-policy.usecase.ts';
import { saveRetryPolicy } from '#functions/policies/save-retry-policy.usecase.ts';
import { get, post } from '#shared/http/route.ts';

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
    run: saveFraudPolicy,
  }),
  get('/v1/policies/retry', {
    scope: 'subscriptions:read',
    summary: 'Get a retry policy',
    query: RetryPolicyQuery,
    reply: RetryPolicyReply,
    run: getRetryPolicy,
  }),
  post('/v1/policies/retry', {
    scope: 'subscriptions:write',
    summary: 'Update a retry policy',
    body: SaveRetryPolicyBody,
    reply: RetryPolicyReply,
    run: saveRetryPolicy,
  }),
  get('/v1/policies/retry/list', {
    scope: 'subscriptions:read',
    summary: 'List retry policies',
    query: ListRetryPoliciesQuery,
    reply: RetryPoliciesReply,
    run: listRetryPolicies,
  }),
];
