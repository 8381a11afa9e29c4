import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item, Json, Key } from '#shared/ports/table.port.ts';
import { isList } from '#shared/store/size.rules.ts';

/**
 * The table holds JSON only, and every answer is converted the same way: exceptions too, which the SDK's document
 * client leaves raw.
 */
export function toAttribute(value: Json): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return isList(value) ? { L: value.map(toAttribute) } : { M: toAttributes(value) };
}

export function toAttributes(item: { readonly [name: string]: Json }): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toAttribute(value)]));
}

export const keyAttributes = ({ pk, sk }: Key): Record<string, AttributeValue> => toAttributes({ pk, sk });

function fromAttribute(value: AttributeValue): Json {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(fromAttribute);
  if (value.M !== undefined) return fromAttributes(value.M);
  throw new Error('The table holds sets or binaries, which are never written here.');
}

function fromAttributes(attributes: Record<string, AttributeValue>): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]));
}

export function fromItem(attributes: Record<string, AttributeValue>): Item {
  return { ...fromAttributes(attributes), pk: attributes.pk?.S ?? '', sk: attributes.sk?.S ?? '' };
}
