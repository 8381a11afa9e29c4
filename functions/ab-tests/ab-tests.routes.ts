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
import { compareAbTest, getAbTest, getAbTestResults, listAbTests } from '#functions/ab-tests/get-ab-tests.usecase.ts';
import { completeAbTest, pauseAbTest, startAbTest } from '#functions/ab-tests/run-ab-test.usecase.ts';
import { createAbTest, updateAbTest } from '#functions/ab-tests/save-ab-test.usecase.ts';
import { get, list, patch, post, type Route, routeKey } from '#shared/http/route.ts';

const reading = { scope: 'connections:read' } as const;
const writing = { scope: 'connections:write', idempotency: 'optional' } as const;

/** A test that runs must be the only one for its payments. */
const OVERLAP = ['ab_test_overlap', 'ab_test_limit'] as const;

/** The specification has two spellings of these paths, so each endpoint exists at both. */
const endpointsAt = (tests: '/v1/routing/ab-tests' | '/v1/routing-ab-tests') => [
  post(tests, {
    ...writing,
    summary: 'Create an A/B test',
    body: CreateAbTestBody,
    reply: AbTestReply,
    status: 201,
    prefetch: true,
    location: '/v1/routing-ab-tests/{id}',
    errors: ['feature_not_in_plan'],
    run: createAbTest,
  }),
  list(tests, {
    ...reading,
    summary: 'List A/B tests',
    query: ListAbTestsQuery,
    reply: AbTestsReply,
    items: 'ab_tests',
    run: listAbTests,
  }),
  get(`${tests}/{id}`, { ...reading, summary: 'Get an A/B test', params: ById, reply: AbTestReply, run: getAbTest }),
  patch(`${tests}/{id}`, {
    ...writing,
    summary: 'Update an A/B test',
    params: ById,
    body: UpdateAbTestBody,
    reply: AbTestReply,
    errors: ['ab_test_not_editable', 'ab_test_has_run', ...OVERLAP, 'setup_limit_reached', 'write_conflict'],
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
    operationId: 'getAbTestComparison',
    run: compareAbTest,
  }),
  post(`${tests}/{id}/start`, {
    ...writing,
    summary: 'Start an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    errors: ['ab_test_not_startable', 'ab_test_rule_missing', ...OVERLAP, 'setup_limit_reached', 'write_conflict'],
    run: startAbTest,
  }),
  post(`${tests}/{id}/pause`, {
    ...writing,
    summary: 'Pause an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    errors: ['ab_test_not_pausable', 'write_conflict'],
    run: pauseAbTest,
  }),
  post(`${tests}/{id}/complete`, {
    ...writing,
    summary: 'Complete an A/B test',
    params: ById,
    reply: AbTestStatusReply,
    errors: ['ab_test_not_completable', 'write_conflict'],
    run: completeAbTest,
  }),
];

/** What the specification shows. The other spelling of each is an alias. */
const SPECIFIED: ReadonlySet<string> = new Set([
  'POST /v1/routing/ab-tests',
  'GET /v1/routing/ab-tests',
  'GET /v1/routing-ab-tests/{id}',
  'PATCH /v1/routing/ab-tests/{id}',
  'GET /v1/routing/ab-tests/{id}/results',
  'GET /v1/routing/ab-tests/{id}/comparison',
  'POST /v1/routing/ab-tests/{id}/start',
  'POST /v1/routing-ab-tests/{id}/pause',
  'POST /v1/routing-ab-tests/{id}/complete',
]);

const markAlias = <R extends Pick<Route, 'method' | 'path'>>(route: R): R =>
  SPECIFIED.has(routeKey(route)) ? route : { ...route, deprecated: true };

export const abTestRoutes = [...endpointsAt('/v1/routing/ab-tests'), ...endpointsAt('/v1/routing-ab-tests')].map(
  (route) => markAlias(route),
);
