import {
  AbTestComparisonReply,
  AbTestReply,
  AbTestResultsReply,
  AbTestStatusReply,
  AbTestsReply,
  ById,
  CreateAbTestBody,
  ListAbTestsQuery,
  UpdateAbTestBody,
} from '#functions/ab-tests/ab-tests.schema.ts';
import { compareAbTest } from '#functions/ab-tests/compare-ab-test.usecase.ts';
import { completeAbTest } from '#functions/ab-tests/complete-ab-test.usecase.ts';
import { createAbTest } from '#functions/ab-tests/create-ab-test.usecase.ts';
import { getAbTest } from '#functions/ab-tests/get-ab-test.usecase.ts';
import { getAbTestResults } from '#functions/ab-tests/get-ab-test-results.usecase.ts';
import { listAbTests } from '#functions/ab-tests/list-ab-tests.usecase.ts';
import { pauseAbTest } from '#functions/ab-tests/pause-ab-test.usecase.ts';
import { startAbTest } from '#functions/ab-tests/start-ab-test.usecase.ts';
import { updateAbTest } from '#functions/ab-tests/update-ab-test.usecase.ts';
import { get, patch, post } from '#shared/http/route.ts';

const reading = { scope: 'connections:read' } as const;
const writing = { scope: 'connections:write', idempotency: 'optional' } as const;

/** The specification spells some of these paths one way and some the other: each endpoint answers at both. */
const endpointsAt = (tests: '/v1/routing/ab-tests' | '/v1/routing-ab-tests') => [
  post(tests, {
    ...writing,
    summary: 'Create an A/B test',
    body: CreateAbTestBody,
    reply: AbTestReply,
    status: 201,
    prefetch: true,
    run: createAbTest,
  }),
  get(tests, { ...reading, summary: 'List A/B tests', query: ListAbTestsQuery, reply: AbTestsReply, run: listAbTests }),
  get(`${tests}/{id}`, { ...reading, summary: 'Get an A/B test', params: ById, reply: AbTestReply, run: getAbTest }),
  patch(`${tests}/{id}`, {
    ...writing,
    summary: 'Update an A/B test',
    params: ById,
    body: UpdateAbTestBody,
    reply: AbTestReply,
    run: updateAbTest,
  }),
  get(`${tests}/{id}/results`, {
    ...reading,
    summary: "Get an A/B test's results",
    params: ById,
    reply: AbTestResultsReply,
    run: getAbTestResults,
  }),
  get(`${tests}/{id}/comparison`, {
    ...reading,
    summary: "Compare an A/B test's variants",
    params: ById,
    reply: AbTestComparisonReply,
    run: compareAbTest,
  }),
  post(`${tests}/{id}/start`, {
    ...writing,
    summary: 'Start an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    run: startAbTest,
  }),
  post(`${tests}/{id}/pause`, {
    ...writing,
    summary: 'Pause an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    run: pauseAbTest,
  }),
  post(`${tests}/{id}/complete`, {
    ...writing,
    summary: 'Complete an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    run: completeAbTest,
  }),
];

export const abTestRoutes = [...endpointsAt('/v1/routing/ab-tests'), ...endpointsAt('/v1/routing-ab-tests')];
