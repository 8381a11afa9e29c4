import { expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { type AnyRoute, isRaw, type Route, routeKey } from '#shared/http/route.ts';

const OURS = (Object.values(ROUTES).flat() as readonly AnyRoute[]).filter((route): route is Route => !isRaw(route));
const CHANGING = OURS.filter(({ method }) => method !== 'GET');
const keysOf = (agents: Route['agents']) =>
  CHANGING.filter((route) => route.agents === agents)
    .map(routeKey)
    .sort();

it('agents ask a person, above the limit, about everything that moves money', () => {
  expect(keysOf('ask')).toEqual([
    'PATCH /v1/subscriptions/{id}',
    'POST /v1/disputes/{id}/accept',
    'POST /v1/invoices/{id}/retry',
    'POST /v1/payment-links',
    'POST /v1/payments',
    'POST /v1/payments/intents',
    'POST /v1/payments/{id}/capture',
    'POST /v1/payments/{id}/confirm',
    'POST /v1/payments/{id}/refund',
    'POST /v1/payments/{id}/retry',
    'POST /v1/subscriptions',
    'POST /v1/subscriptions/{id}/resume',
  ]);
});

it('agents may do alone what moves no money and changes no setting', () => {
  expect(keysOf('may')).toEqual([
    'POST /v1/disputes/{id}/evidence',
    'POST /v1/invoices/{id}/cancel',
    'POST /v1/payment-links/{id}/deactivate',
    'POST /v1/payments/{id}/cancel',
    'POST /v1/routing/replay',
    'POST /v1/routing/simulate',
    'POST /v1/subscriptions/{id}/cancel',
    'POST /v1/webhooks/events/replay',
    'POST /v1/webhooks/events/{id}/replay',
    'POST /v1/webhooks/test',
  ]);
});

it('nothing that is open to agents makes keys or members, signs anybody in, decides for people or answers with a secret', () => {
  const open = CHANGING.filter(({ agents }) => agents !== undefined);
  expect(open.filter(({ access, secretResponse }) => access !== 'scope' || secretResponse).map(routeKey)).toEqual([]);
  const closed =
    /^\w+ \/v1\/(api-keys|members|auth|platform|organization|agent-approvals|connections|policies|workflows)/;
  expect(open.map(routeKey).filter((key) => closed.test(key))).toEqual([]);
});

it('what agents change needs an idempotency key, by which a person approves it', () => {
  const unkeyed = CHANGING.filter(({ agents, idempotency }) => agents !== undefined && idempotency === 'none');
  expect(unkeyed.map(routeKey).sort()).toEqual(['POST /v1/routing/replay', 'POST /v1/routing/simulate']);
});
