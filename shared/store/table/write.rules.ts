import { checkCondition } from '#shared/store/table/condition.rules.ts';
import {
  checkAttribute,
  checkItem,
  checkKey,
  checkName,
  ensure,
  invalidCall,
  isIndexKey,
  keyText,
} from '#shared/store/table/item.rules.ts';
import type { IndexName, Item, ItemChange, Json, Key, TablePort, Write } from '#shared/store/table/table.port.ts';

const MAX_WRITES = 100;
/** DynamoDB's ClientRequestToken. */
const MAX_TOKEN_LENGTH = 36;
/** How long a token identifies the same transaction. */
export const TOKEN_LIFETIME_MINUTES = 10;

export function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}

export function checkWrite(write: Write): void {
  if ('put' in write) checkItem(write.put);
  else checkKey(keyOf(write));
  if ('update' in write) checkChange(write.change);
  if (write.condition) checkCondition(write.condition);
}

export function checkTransaction(writes: readonly Write[], token: string): void {
  ensure(writes.length > 0 && writes.length <= MAX_WRITES, `A transaction has 1 to ${MAX_WRITES} writes.`);
  ensure(token.length > 0 && token.length <= MAX_TOKEN_LENGTH, `A token has 1 to ${MAX_TOKEN_LENGTH} characters.`);
  for (const write of writes) {
    checkWrite(write);
    ensure(!('check' in write) || write.condition !== undefined, 'A check needs a condition.');
  }
  ensure(
    new Set(writes.map((write) => keyText(keyOf(write)))).size === writes.length,
    'A transaction writes an item twice.',
  );
}

/** Well below the 4 KB that DynamoDB allows an expression. */
const MAX_ATTRIBUTES = 100;

function checkChange({ set = {}, add = {}, remove = [], ...other }: ItemChange): void {
  ensure(Object.keys(other).length === 0, 'A change sets, adds and removes, and nothing else.');
  const names = [...Object.keys(set), ...Object.keys(add), ...remove];
  ensure(names.length > 0, 'A change is empty.');
  ensure(names.length <= MAX_ATTRIBUTES, `A change names at most ${MAX_ATTRIBUTES} attributes.`);
  ensure(new Set(names).size === names.length, 'A change names an attribute twice.');
  ensure(!names.includes('pk') && !names.includes('sk'), 'A key cannot change.');
  for (const name of names) checkName(name);
  for (const [name, value] of Object.entries(set)) checkAttribute(name, value);
  for (const [name, value] of Object.entries(add)) {
    ensure(Number.isSafeInteger(value), `Only whole numbers can be added to ${name}.`);
    ensure(!isIndexKey(name), `${name} belongs to an index, which holds texts.`);
  }
}

/** The item after an update; without an item it creates one. */
export function applyChange(old: Item | undefined, key: Key, { set = {}, add = {}, remove = [] }: ItemChange): Item {
  const next: Record<string, Json> = { ...old, ...set };
  for (const name of remove) delete next[name];
  for (const [name, value] of Object.entries(add)) next[name] = sum(name, next[name], value);
  return { ...next, pk: key.pk, sk: key.sk };
}

function sum(name: string, before: Json = 0, value: number): number {
  if (typeof before !== 'number') throw invalidCall(`${name} is not a number, so nothing can be added to it.`);
  const after = before + value;
  ensure(!Number.isInteger(after) || Number.isSafeInteger(after), `${name} would exceed the safe integers.`);
  return after;
}

/** What a call does to items, as DynamoDB divides its permissions. `check`: of a transaction. */
export const TABLE_ACTS = ['get', 'query', 'put', 'update', 'delete', 'check'] as const;
export type TableAct = (typeof TABLE_ACTS)[number];

/** One thing that a call does: to items of a family, or to the entries of a family in an index. */
export type TableAccess = { readonly act: TableAct; readonly family: string; readonly index?: IndexName };

/**
 * The family of a partition key: its fixed beginning, with the separator if something follows it. `PAY#` of `PAY#…`,
 * `@sub#` of an index, `org_` where a key begins with the organization, `stripe#` with a provider; `PLATFORM` has
 * nothing behind it.
 */
export const familyOf = ({ pk }: Pick<Key, 'pk'>): string => FAMILY.exec(pk)?.[0] ?? pk;
const FAMILY = /^(?:[A-Z]+#?|@?[a-z]+[#_])/;

/** What a call of the table does, by its method and arguments: what a policy about keys has to allow. */
export function accessesOf(method: keyof TablePort, args: readonly unknown[]): readonly TableAccess[] {
  switch (method) {
    case 'getMany':
      return (args[0] as readonly Key[]).map((key) => ({ act: 'get', family: familyOf(key) }));
    case 'transact':
      return (args[0] as readonly Write[]).map((write) => ({ act: actOf(write), family: familyOf(keyOf(write)) }));
    case 'entries':
    case 'count':
      return [{ act: 'query', family: familyOf(args[1] as Pick<Key, 'pk'>), index: args[0] as IndexName }];
    default:
      return [{ act: method, family: familyOf(args[0] as Pick<Key, 'pk'>) }];
  }
}

function actOf(write: Write): TableAct {
  if ('put' in write) return 'put';
  if ('update' in write) return 'update';
  return 'delete' in write ? 'delete' : 'check';
}
