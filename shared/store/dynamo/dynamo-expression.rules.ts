import type { NativeAttributeValue } from '@aws-sdk/lib-dynamodb';
import { toNative } from '#shared/store/dynamo/dynamo-items.ts';
import type { Condition, ItemChange, Json, PageQuery } from '#shared/store/table/table.port.ts';

type ExpressionAttributes = {
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, NativeAttributeValue>;
};

const OPERATORS = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

/**
 * Builds the expressions of a call. Every name and value has a placeholder, because many attribute names are reserved
 * words.
 */
export class Expression {
  readonly #names = new Map<string, string>();
  readonly #values: NativeAttributeValue[] = [];

  condition(condition: Condition): string {
    if ('all' in condition) return this.#group(condition.all, ' AND ');
    if ('any' in condition) return this.#group(condition.any, ' OR ');
    if ('exists' in condition) return `attribute_exists(${this.#name(condition.exists)})`;
    if ('absent' in condition) return `attribute_not_exists(${this.#name(condition.absent)})`;
    const [[operator, [name, value]]] = Object.entries(condition) as [
      [keyof typeof OPERATORS, readonly [string, Json]],
    ];
    return `${this.#name(name)} ${OPERATORS[operator]} ${this.#value(value)}`;
  }

  /** DynamoDB rejects redundant parentheses: a single part gets none. */
  #group(parts: readonly Condition[], word: string): string {
    const terms = parts.map((part) => this.condition(part));
    return terms.length === 1 ? terms.join('') : `(${terms.join(word)})`;
  }

  change({ set = {}, add = {}, remove = [] }: ItemChange): string {
    return [
      section('SET', Object.entries(set), ([name, value]) => `${this.#name(name)} = ${this.#value(value)}`),
      section('ADD', Object.entries(add), ([name, value]) => `${this.#name(name)} ${this.#value(value)}`),
      section('REMOVE', remove, (name) => this.#name(name)),
    ].join(' ');
  }

  /** A key condition. `at` names the partition and sort attributes of the table or of an index. */
  where({ pk, range }: PageQuery, at: readonly [string, string]): string {
    const partition = `${this.#name(at[0])} = ${this.#value(pk)}`;
    if (!range) return partition;
    const sort = this.#name(at[1]);
    if ('prefix' in range) return `${partition} AND begins_with(${sort}, ${this.#value(range.prefix)})`;
    if ('between' in range)
      return `${partition} AND ${sort} BETWEEN ${this.#value(range.between[0])} AND ${this.#value(range.between[1])}`;
    const [[operator, bound]] = Object.entries(range) as [[keyof typeof OPERATORS, string]];
    return `${partition} AND ${sort} ${OPERATORS[operator]} ${this.#value(bound)}`;
  }

  /** The placeholders' values. DynamoDB rejects empty maps. */
  attributes(): ExpressionAttributes {
    return {
      ExpressionAttributeNames:
        this.#names.size > 0
          ? Object.fromEntries([...this.#names].map(([name, placeholder]) => [placeholder, name]))
          : undefined,
      ExpressionAttributeValues:
        this.#values.length > 0 ? Object.fromEntries(this.#values.map((value, n) => [`:${n}`, value])) : undefined,
    };
  }

  #name(name: string): string {
    const placeholder = this.#names.get(name) ?? `#${this.#names.size}`;
    this.#names.set(name, placeholder);
    return placeholder;
  }

  #value(value: Json): string {
    return `:${this.#values.push(toNative(value)) - 1}`;
  }
}

export function conditionInput(condition: Condition) {
  const expression = new Expression();
  return { ConditionExpression: expression.condition(condition), ...expression.attributes() };
}

export function updateInput(change: ItemChange, condition: Condition | undefined) {
  const expression = new Expression();
  return {
    UpdateExpression: expression.change(change),
    ConditionExpression: condition && expression.condition(condition),
    ...expression.attributes(),
  };
}

const section = <T>(word: string, parts: readonly T[], text: (part: T) => string): string =>
  parts.length > 0 ? `${word} ${parts.map(text).join(', ')}` : '';
