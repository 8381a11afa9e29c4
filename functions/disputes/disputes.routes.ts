import { acceptDispute, submitEvidence } from '#functions/disputes/answer-dispute.usecase.ts';
import {
  ById,
  DisputeReply,
  DisputesReply,
  EvidenceBody,
  ListDisputesQuery,
} from '#functions/disputes/disputes.schema.ts';
import { getDispute, listDisputes } from '#functions/disputes/get-disputes.usecase.ts';
import { CHANGE_ERRORS, get, list, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

const answer = {
  scope: 'payments:write',
  params: ById,
  reply: DisputeReply,
  errors: [
    'dispute_not_answerable',
    'dispute_answer_unsupported',
    'dispute_answer_refused',
    'outcome_unknown',
    ...CHANGE_ERRORS,
    'provider_error',
  ],
} as const;

export const disputeRoutes = [
  list('/v1/disputes', {
    scope: 'payments:read',
    summary: 'List disputes',
    query: ListDisputesQuery,
    reply: DisputesReply,
    items: 'disputes',
    run: listDisputes,
  }),
  get('/v1/disputes/{id}', {
    scope: 'payments:read',
    summary: 'Get a dispute',
    params: ById,
    reply: DisputeReply,
    run: getDispute,
  }),
  post('/v1/disputes/{id}/accept', {
    ...answer,
    agents: 'ask',
    summary: 'Accept a dispute',
    body: NoBody,
    bodyOptional: true,
    run: acceptDispute,
  }),
  post('/v1/disputes/{id}/evidence', {
    ...answer,
    agents: 'may',
    summary: 'Submit evidence against a dispute',
    body: EvidenceBody,
    operationId: 'submitDisputeEvidence',
    run: submitEvidence,
  }),
];
