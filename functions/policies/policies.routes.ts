import { FraudPolicyReply, SaveFraudPolicyBody } from '#functions/policies/fraud-policy.schema.ts';
import { getFraudPolicy } from '#functions/policies/get-fraud-policy.usecase.ts';
import { saveFraudPolicy } from '#functions/policies/save-fraud-policy.usecase.ts';
import { get, post } from '#shared/http/route.ts';

export const policyRoutes = [
  get('/v1/policies/fraud', { scope: 'fraud:read', summary: 'Get the fraud policy', reply: FraudPolicyReply, run: getFraudPolicy }),
  post('/v1/policies/fraud', {
    scope: 'fraud:write',
    summary: 'Update the fraud policy',
    body: SaveFraudPolicyBody,
    reply: FraudPolicyReply,
    run: saveFraudPolicy,
  }),
];
