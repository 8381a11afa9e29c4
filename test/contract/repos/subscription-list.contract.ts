import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { listSubscriptions, subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { type ListedKind, type MadeTable, recordLists } from '#test/contract/repos/list-records.contract.ts';
import { later } from '#test/support/stopped-clock.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

const SUBSCRIPTIONS: ListedKind<Subscription> = {
  name: 'subscriptions',
  idKind: 'subscription',
  filters: { status: ['active', 'paused', 'canceled'], customer_id: ['ann', 'bob', 'cid'], plan_id: ['basic', 'team'] },
  moving: ['status', 'plan_id'],
  make: (about) => aSubscription(about as Partial<Subscription>),
  entity: subscriptionEntity,
  due: {
    at: later(777).toISOString(),
    asks: { status: 'active', bills_at: later(777).toISOString() },
    rests: { status: 'canceled', bills_at: null },
  },
  list: listSubscriptions,
};

export const subscriptionLists = (made: MadeTable): void => recordLists(SUBSCRIPTIONS, made);
