import {
  cancelSubscription,
  resumeSubscription,
  updateSubscription,
} from '#functions/subscriptions/change-subscription.usecase.ts';
import { createSubscription } from '#functions/subscriptions/create-subscription.usecase.ts';
import { getSubscription, getUpcoming, listSubscriptions } from '#functions/subscriptions/get-subscriptions.usecase.ts';
import {
  ById,
  CancelSubscriptionBody,
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  SubscriptionReply,
  SubscriptionsReply,
  UpcomingReply,
  UpdateSubscriptionBody,
} from '#functions/subscriptions/subscriptions.schema.ts';
import { CHANGE_ERRORS, get, list, patch, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

const write = { scope: 'subscriptions:write', params: ById, reply: SubscriptionReply } as const;

export const subscriptionRoutes = [
  post('/v1/subscriptions', {
    scope: 'subscriptions:write',
    agents: 'ask',
    summary: 'Create a subscription',
    body: CreateSubscriptionBody,
    reply: SubscriptionReply,
    status: 201,
    location: '/v1/subscriptions/{id}',
    run: createSubscription,
  }),
  list('/v1/subscriptions', {
    scope: 'subscriptions:read',
    summary: 'List subscriptions',
    query: ListSubscriptionsQuery,
    reply: SubscriptionsReply,
    run: listSubscriptions,
  }),
  get('/v1/subscriptions/{id}', {
    scope: 'subscriptions:read',
    summary: 'Get a subscription',
    params: ById,
    reply: SubscriptionReply,
    run: getSubscription,
  }),
  get('/v1/subscriptions/{id}/upcoming', {
    scope: 'subscriptions:read',
    summary: 'Get the next periods of a subscription',
    params: ById,
    reply: UpcomingReply,
    operationId: 'getUpcomingPeriods',
    run: getUpcoming,
  }),
  patch('/v1/subscriptions/{id}', {
    ...write,
    agents: 'ask',
    summary: 'Update a subscription',
    body: UpdateSubscriptionBody,
    errors: ['subscription_canceled', ...CHANGE_ERRORS],
    run: updateSubscription,
  }),
  post('/v1/subscriptions/{id}/cancel', {
    ...write,
    agents: 'may',
    summary: 'Cancel a subscription',
    body: CancelSubscriptionBody,
    bodyOptional: true,
    errors: ['subscription_canceled', ...CHANGE_ERRORS],
    run: cancelSubscription,
  }),
  post('/v1/subscriptions/{id}/resume', {
    ...write,
    agents: 'ask',
    summary: 'Resume a paused subscription, or undo a scheduled cancel',
    body: NoBody,
    bodyOptional: true,
    errors: ['subscription_canceled', 'subscription_not_resumable', ...CHANGE_ERRORS],
    run: resumeSubscription,
  }),
];
