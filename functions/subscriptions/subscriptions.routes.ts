import { cancelSubscription } from '#functions/subscriptions/cancel-subscription.usecase.ts';
import { createSubscription } from '#functions/subscriptions/create-subscription.usecase.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import { listSubscriptions } from '#functions/subscriptions/list-subscriptions.usecase.ts';
import { resumeSubscription } from '#functions/subscriptions/resume-subscription.usecase.ts';
import {
  ById,
  CancelSubscriptionBody,
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  SubscriptionReply,
  SubscriptionsReply,
  UpdateSubscriptionBody,
} from '#functions/subscriptions/subscriptions.schema.ts';
import { updateSubscription } from '#functions/subscriptions/update-subscription.usecase.ts';
import { type AnyRoute, get, patch, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

const write = { scope: 'subscriptions:write', params: ById, reply: SubscriptionReply } as const;

export const subscriptionRoutes: readonly AnyRoute[] = [
  post('/v1/subscriptions', {
    scope: 'subscriptions:write',
    summary: 'Create a subscription',
    body: CreateSubscriptionBody,
    reply: SubscriptionReply,
    status: 201,
    run: createSubscription,
  }),
  get('/v1/subscriptions', {
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
  patch('/v1/subscriptions/{id}', {
    ...write,
    summary: 'Update a subscription',
    body: UpdateSubscriptionBody,
    run: updateSubscription,
  }),
  post('/v1/subscriptions/{id}/cancel', {
    ...write,
    summary: 'Cancel a subscription',
    body: CancelSubscriptionBody,
    bodyOptional: true,
    run: cancelSubscription,
  }),
  post('/v1/subscriptions/{id}/resume', {
    ...write,
    summary: 'Resume a paused subscription, or withdraw its cancel at the end of the period',
    body: NoBody,
    bodyOptional: true,
    run: resumeSubscription,
  }),
];
