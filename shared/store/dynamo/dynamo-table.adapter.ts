import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { LogPort } from '#shared/ports/log.port.ts';
import { conditionInput, Expression, updateInput } from '#shared/store/dynamo/dynamo-expression.rules.ts';
import { itemFrom, TRANSLATION, toNativeItem } from '#shared/store/dynamo/dynamo-items.ts';
import { backOff, MAX_ATTEMPTS, retriesExhausted, withRetries } from '#shared/store/dynamo/dynamo-retry.ts';
import { type ThrottleReporter, throttleReporter } from '#shared/store/dynamo/dynamo-throttle.ts';
import { failedWrites, RETURN_OLD_ITEM, transactItem } from '#shared/store/dynamo/dynamo-transaction.ts';
import { checkFilter } from '#shared/store/table/condition.rules.ts';
import { checkKey, checkKeys, keyText } from '#shared/store/table/item.rules.ts';
import { cursorAt, readPageQuery } from '#shared/store/table/range.rules.ts';
import {
  type Condition,
  INDEXES,
  type IndexEntry,
  type IndexName,
  type Item,
  type ItemChange,
  type Key,
  type Page,
  type PageQuery,
  type TablePort,
  type TransactResult,
  type Write,
  type WriteResult,
} from '#shared/store/table/table.port.ts';
import { checkTransaction, checkWrite, keyOf } from '#shared/store/table/write.rules.ts';

type NativeKey = NonNullable<QueryCommandInput['ExclusiveStartKey']>;

const TABLE_KEY = ['pk', 'sk'] as const;

export type DynamoTableProps = {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** Hears of throttled calls, also of those that a retry makes good, and of those that a missing right denies. */
  readonly log?: Pick<LogPort, 'warn' | 'error'>;
};

/** The table in DynamoDB. The client must not retry by itself; see `dynamoClient`. */
export class DynamoTable implements TablePort {
  readonly #client: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #reportThrottle: ThrottleReporter | undefined;

  constructor({ client, tableName, log }: DynamoTableProps) {
    this.#client = DynamoDBDocumentClient.from(client, TRANSLATION);
    this.#tableName = tableName;
    this.#reportThrottle = log && throttleReporter(log);
  }

  async get(key: Key, how: { readonly consistent?: boolean } = {}): Promise<Item | undefined> {
    checkKey(key);
    const call = new GetCommand({ ...this.#at(key), ConsistentRead: how.consistent ?? false });
    const { Item: found } = await this.#retry(true, [key], () => this.#client.send(call));
    return found as Item | undefined;
  }

  async getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
    checkKeys(keys);
    const found = new Map<string, Item>();
    let missing: readonly NativeKey[] = keys.map(plainKey);
    for (let attempt = 0; missing.length > 0; attempt++) {
      if (attempt === MAX_ATTEMPTS) throw retriesExhausted(`${missing.length} of ${keys.length} items were not read.`);
      if (attempt > 0) await backOff(attempt);
      const call = new BatchGetCommand({ RequestItems: { [this.#tableName]: { Keys: [...missing] } } });
      const { Responses, UnprocessedKeys } = await this.#retry(true, keys, () => this.#client.send(call));
      for (const item of (Responses?.[this.#tableName] ?? []) as Item[]) found.set(keyText(item), item);
      missing = UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
    }
    return keys.map((key) => found.get(keyText(key)));
  }

  async put(item: Item, condition?: Condition): Promise<WriteResult> {
    checkWrite({ put: item, condition });
    const call = new PutCommand({
      TableName: this.#tableName,
      Item: toNativeItem(item),
      ...(condition && conditionInput(condition)),
      ...RETURN_OLD_ITEM,
    });
    return this.#writeOrOldItem(item, async () => {
      await this.#client.send(call);
      return item;
    });
  }

  async update(key: Key, change: ItemChange, condition?: Condition): Promise<WriteResult> {
    checkWrite({ update: key, change, condition });
    const call = new UpdateCommand({
      ...this.#at(key),
      ...updateInput(change, condition),
      ReturnValues: 'ALL_NEW',
      ...RETURN_OLD_ITEM,
    });
    return this.#writeOrOldItem(key, async () => ((await this.#client.send(call)).Attributes ?? plainKey(key)) as Item);
  }

  async delete(key: Key, condition?: Condition): Promise<WriteResult<Item | undefined>> {
    checkWrite({ delete: key, condition });
    const call = new DeleteCommand({
      ...this.#at(key),
      ...(condition && conditionInput(condition)),
      ReturnValues: 'ALL_OLD',
      ...RETURN_OLD_ITEM,
    });
    return this.#writeOrOldItem(key, async () => (await this.#client.send(call)).Attributes as Item | undefined);
  }

  async query({
    filter,
    ...where
  }: PageQuery & { readonly consistent?: boolean; readonly filter?: Condition }): Promise<Page<Item>> {
    const last = readPageQuery(where, 1);
    if (filter) checkFilter(filter);
    const start = last && { pk: where.pk, sk: last[0] ?? '' };
    const how = { ConsistentRead: where.consistent ?? false };
    const { items, end } = await this.#page(where, TABLE_KEY, start, how, filter);
    return { items: items as Item[], next: end && cursorAt([where.pk, String(end.sk)]) };
  }

  async entries(index: IndexName, where: PageQuery): Promise<Page<IndexEntry>> {
    const { items, end } = await this.#indexPage(index, where, {});
    return { items: items.map((entry) => toEntry(index, entry)), next: end && cursorIn(index, where, end) };
  }

  async count(
    index: IndexName,
    where: PageQuery,
  ): Promise<{ readonly count: number; readonly next: string | undefined }> {
    const { count, end } = await this.#indexPage(index, where, { Select: 'COUNT' });
    return { count, next: end && cursorIn(index, where, end) };
  }

  async transact(writes: readonly Write[], token: string): Promise<TransactResult> {
    checkTransaction(writes, token);
    const call = new TransactWriteCommand({
      TransactItems: writes.map((write) => transactItem(this.#tableName, write)),
      ClientRequestToken: token,
    });
    return this.#retry(true, writes.map(keyOf), async () => {
      try {
        await this.#client.send(call);
        return { ok: true };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        return { ok: false, failed: failedWrites(error) };
      }
    });
  }

  #retry<T>(repeatable: boolean, keys: readonly Pick<Key, 'pk'>[], call: () => Promise<T>): Promise<T> {
    return withRetries(repeatable, call, (cause) => this.#reportThrottle?.(cause, keys));
  }

  #writeOrOldItem<T>(key: Key, write: () => Promise<T>): Promise<WriteResult<T>> {
    return this.#retry(false, [key], async () => {
      try {
        return { ok: true, item: await write() };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return { ok: false, old: error.Item && itemFrom(error.Item) };
      }
    });
  }

  #at(key: Key) {
    return { TableName: this.#tableName, Key: plainKey(key) };
  }

  #indexPage(index: IndexName, where: PageQuery, how: Partial<QueryCommandInput>) {
    const [partition, sort] = INDEXES[index];
    const [at = '', pk = '', sk = ''] = readPageQuery(where, 3) ?? [];
    const start = where.after === undefined ? undefined : { [partition]: where.pk, [sort]: at, pk, sk };
    return this.#page(where, INDEXES[index], start, { IndexName: index, ...how });
  }

  async #page(
    where: PageQuery,
    key: readonly [string, string],
    start: NativeKey | undefined,
    how: Partial<QueryCommandInput>,
    filter?: Condition,
  ) {
    const expression = new Expression();
    const call = new QueryCommand({
      ...how,
      TableName: this.#tableName,
      KeyConditionExpression: expression.where(where, key),
      FilterExpression: filter && expression.condition(filter),
      ...expression.attributes(),
      Limit: where.limit,
      ScanIndexForward: !where.newestFirst,
      ExclusiveStartKey: start,
    });
    const { Items = [], Count = 0, LastEvaluatedKey } = await this.#retry(true, [where], () => this.#client.send(call));
    return { items: Items, count: Count, end: LastEvaluatedKey };
  }
}

/** An item is a key too: without its other attributes. */
const plainKey = ({ pk, sk }: Key) => ({ pk, sk });

function toEntry(index: IndexName, entry: NativeKey): IndexEntry {
  const { pk, sk, [INDEXES[index][1]]: at } = entry;
  return { pk: String(pk), sk: String(sk), at: String(at ?? '') };
}

function cursorIn(index: IndexName, where: PageQuery, end: NativeKey): string {
  const { at, pk, sk } = toEntry(index, end);
  return cursorAt([where.pk, at, pk, sk]);
}
