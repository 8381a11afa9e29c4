import { randomBits, shardOf } from '#shared/kernel/ids.ts';
import type { Key } from '#shared/ports/table.port.ts';

/**
 *   item             pk                    sk            why there
 *   payment          PAY#<random bits>     PAY           one partition a payment: no organization is a hot key
 *   its answer       PAY#<random bits>     ANSWER        what the create request was answered, once the payment changed
 *   claim            CLAIM#<hash>          CLAIM         one idempotency key of a request that makes no payment
 *   API key          KEY#<hash>            KEY           found and counted by one update
 *   address          ADDR#<hash>           ADDR          windows of requests without a key of their own
 *   organization     ORG#<org>             org           what routing needs lies in one query: from `a` to `z`
 *   connection       ORG#<org>             conn#<id>
 *   key directory    ORGKEYS#<org>         <key id>      for lists and revocation
 *   receiver         RECV#<org>            RECV
 *   event            EVT#<org>#<shard>     <event id>    listed without an index
 */
export const keys = {
  payment: (id: string): Key => ({ pk: `PAY#${randomBits(id)}`, sk: 'PAY' }),
  answer: (paymentId: string): Key => ({ pk: `PAY#${randomBits(paymentId)}`, sk: 'ANSWER' }),
  claim: (seed: string): Key => ({ pk: `CLAIM#${seed}`, sk: 'CLAIM' }),
  apiKey: (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  address: (hash: string): Key => ({ pk: `ADDR#${hash}`, sk: 'ADDR' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'org' }),
  connection: (orgId: string, id: string): Key => ({ pk: `ORG#${orgId}`, sk: `conn#${id}` }),
  keyEntry: (orgId: string, id: string): Key => ({ pk: `ORGKEYS#${orgId}`, sk: id }),
  receiver: (orgId: string): Key => ({ pk: `RECV#${orgId}`, sk: 'RECV' }),
  event: (orgId: string, id: string): Key => ({ pk: eventPartition(orgId, shardOf(id, EVENT_SHARDS)), sk: id }),
};

/** A partition takes 1,000 writes a second; one organization's lists are spread over this many a connection, or altogether. */
export const LIST_SHARDS = 4;
export const EVENT_SHARDS = 4;
const DUE_SHARDS = 4;

export const eventPartition = (orgId: string, shard: number): string => `EVT#${orgId}#${shard}`;
export const shards = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

export const indexKeys = {
  list: (orgId: string, connectionId: string | null, shard: number): string => `${orgId}#${connectionId ?? '-'}#${shard}`,
  status: (orgId: string, status: string, shard: number): string => `${orgId}#${status}#${shard}`,
  customer: (orgId: string, customerId: string): string => `${orgId}#${customerId}`,
  reference: (provider: string, reference: string): string => `${provider}#${reference}`,
  due: (id: string): string => `DUE#${shardOf(id, DUE_SHARDS)}`,
};

export const dueShards: readonly string[] = shards(DUE_SHARDS).map((n) => `DUE#${n}`);
