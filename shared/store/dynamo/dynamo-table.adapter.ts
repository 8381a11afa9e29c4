import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Change,
  type Cond,
  type Entry,
  INDEXES,
  type IndexName,
  type Item,
  type Key,
  type Page,
  type TablePort,
  type Transacted,
  type Where,
  type Write,
  type Written,
} from '#shared/ports/table.port.ts';
import { checkFilter } from '#shared/store/condition.rules.ts';
import { fromItem, keyAttributes, toAttributes } from '#shared/store/dynamo/dynamo-attribute.rules.ts';
import { changeOf, condOf, Expression } from '#shared/store/dynamo/dynamo-expression.rules.ts';
import { backOff, gaveUp, patiently, TRIES } from '#shared/store/dynamo/dynamo-retry.ts';
import { failedOf, REFUSED, transactItem } from '#shared/store/dynamo/dynamo-transaction.ts';
import { checkKey, checkKeys, keyText } from '#shared/store/item.rules.ts';
import { cursorAt, readWhere } from '#shared/store/range.rules.ts';
import { checkTransaction, checkWrite } from '#shared/store/write.rules.ts';

type Attributes = Record<string, AttributeValue>;

const TABLE_KEY = ['pk', 'sk'] as const;

/** The table in DynamoDB. The client must not retry by itself; see `dynamoClient`. */
export class DynamoTable implements TablePort {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor({ client, tableName }: { readonly client: DynamoDBClient; readonly tableName: string }) {
    this.#client = client;
    this.#tableName = tableName;
  }

  async get(key: Key, how: { readonly consistent?: boolean } = {}): Promise<Item | undefined> {
    checkKey(key);
    const call = new GetItemCommand({ ...this.#at(key), ConsistentRead: how.consistent ?? false });
    const { Item: found } = await patiently(true, () => this.#client.send(call));
    return found && fromItem(found);
  }

  async getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
    checkKeys(keys);
    const found = new Map<string, Item>();
    let missing: Attributes[] = keys.map(keyAttributes);
    for (let attempt = 0; missing.length > 0; attempt++) {
      if (attempt === TRIES) throw gaveUp(`${missing.length} of ${keys.length} items were not read.`);
      if (attempt > 0) await backOff(attempt);
      const call = new BatchGetItemCommand({ RequestItems: { [this.#tableName]: { Keys: missing } } });
      const { Responses, UnprocessedKeys } = await patiently(true, () => this.#client.send(call));
      for (const item of (Responses?.[this.#tableName] ?? []).map(fromItem)) found.set(keyText(item), item);
      missing = UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
    }
    return keys.map((key) => found.get(keyText(key)));
  }

  async put(item: Item, cond?: Cond): Promise<Written> {
    checkWrite({ put: item, cond });
    const call = new PutItemCommand({
      TableName: this.#tableName,
      Item: toAttributes(item),
      ...(cond && condOf(cond)),
      ...REFUSED,
    });
    return orOld(async () => {
      await this.#client.send(call);
      return item;
    });
  }

  async update(key: Key, change: Change, cond?: Cond): Promise<Written> {
    checkWrite({ update: key, change, cond });
    const call = new UpdateItemCommand({
      ...this.#at(key),
      ...changeOf(change, cond),
      ReturnValues: 'ALL_NEW',
      ...REFUSED,
    });
    return orOld(async () => fromItem((await this.#client.send(call)).Attributes ?? keyAttributes(key)));
  }

  async delete(key: Key, cond?: Cond): Promise<Written<Item | undefined>> {
    checkWrite({ delete: key, cond });
    const call = new DeleteItemCommand({
      ...this.#at(key),
      ...(cond && condOf(cond)),
      ReturnValues: 'ALL_OLD',
      ...REFUSED,
    });
    return orOld(async () => {
      const { Attributes: old } = await this.#client.send(call);
      return old && fromItem(old);
    });
  }

  async query({
    filter,
    ...where
  }: Where & { readonly consistent?: boolean; readonly filter?: Cond }): Promise<Page<Item>> {
    const last = readWhere(where, 1);
    if (filter) checkFilter(filter);
    const start = last && keyAttributes({ pk: where.pk, sk: last[0] ?? '' });
    const { items, end } = await this.#page(
      where,
      TABLE_KEY,
      start,
      { ConsistentRead: where.consistent ?? false },
      filter,
    );
    return { items: items.map(fromItem), next: end && cursorAt([where.pk, end.sk?.S ?? '']) };
  }

  async entries(index: IndexName, where: Where): Promise<Page<Entry>> {
    const { items, end } = await this.#indexPage(index, where, {});
    return { items: items.map((entry) => toEntry(index, entry)), next: end && cursorIn(index, where, end) };
  }

  async count(index: IndexName, where: Where): Promise<{ readonly count: number; readonly next: string | undefined }> {
    const { count, end } = await this.#indexPage(index, where, { Select: 'COUNT' });
    return { count, next: end && cursorIn(index, where, end) };
  }

  async transact(writes: readonly Write[], token: string): Promise<Transacted> {
    checkTransaction(writes, token);
    const call = new TransactWriteItemsCommand({
      TransactItems: writes.map((write) => transactItem(this.#tableName, write)),
      ClientRequestToken: token,
    });
    return patiently(true, async () => {
      try {
        await this.#client.send(call);
        return { ok: true };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        return { ok: false, failed: failedOf(error) };
      }
    });
  }

  #at(key: Key) {
    return { TableName: this.#tableName, Key: keyAttributes(key) };
  }

  #indexPage(index: IndexName, where: Where, how: Partial<QueryCommandInput>) {
    const [partition, sort] = INDEXES[index];
    const [at = '', pk = '', sk = ''] = readWhere(where, 3) ?? [];
    const start = where.after === undefined ? undefined : toAttributes({ [partition]: where.pk, [sort]: at, pk, sk });
    return this.#page(where, INDEXES[index], start, { IndexName: index, ...how });
  }

  async #page(
    where: Where,
    key: readonly [string, string],
    start: Attributes | undefined,
    how: Partial<QueryCommandInput>,
    filter?: Cond,
  ) {
    const expression = new Expression();
    const call = new QueryCommand({
      ...how,
      TableName: this.#tableName,
      KeyConditionExpression: expression.where(where, key),
      FilterExpression: filter && expression.cond(filter),
      ...expression.maps(),
      Limit: where.limit,
      ScanIndexForward: !where.newestFirst,
      ExclusiveStartKey: start,
    });
    const { Items = [], Count = 0, LastEvaluatedKey } = await patiently(true, () => this.#client.send(call));
    return { items: Items, count: Count, end: LastEvaluatedKey };
  }
}

function orOld<T>(write: () => Promise<T>): Promise<Written<T>> {
  return patiently(false, async () => {
    try {
      return { ok: true, item: await write() };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { ok: false, old: error.Item && fromItem(error.Item) };
    }
  });
}

function toEntry(index: IndexName, entry: Attributes): Entry {
  const { pk, sk } = fromItem(entry);
  return { pk, sk, at: entry[INDEXES[index][1]]?.S ?? '' };
}

function cursorIn(index: IndexName, where: Where, end: Attributes): string {
  const { at, pk, sk } = toEntry(index, end);
  return cursorAt([where.pk, at, pk, sk]);
}
