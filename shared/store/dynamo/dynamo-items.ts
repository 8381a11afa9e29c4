import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NativeAttributeValue, TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isList } from '#shared/store/table/item.rules.ts';
import type { FeedRecord, Item, Json } from '#shared/store/table/table.port.ts';

type Attributes = Record<string, AttributeValue>;
type NativeItem = Record<string, NativeAttributeValue>;

/** Stored numbers are all exact in JavaScript, so none becomes a BigInt. */
const wrapNumbers = Number;

/**
 * How the document client converts. One object for all clients, and for nothing else: `DynamoDBDocumentClient.from`
 * writes it into the settings of the underlying client, and each command adds options to it.
 */
export const TRANSLATION: TranslateConfig = { unmarshallOptions: { wrapNumbers } };

/** For what the document client returns unconverted: the old item within an error, and the images of a stream. */
export const itemFrom = (attributes: Attributes): Item => unmarshall(attributes, { wrapNumbers }) as Item;

export const toNativeItem = (item: { readonly [name: string]: Json }): NativeItem =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toNative(value)]));

/**
 * Objects become Maps: the library tells an object's type by its `constructor`, and a client's JSON may have a field of
 * that name.
 */
export function toNative(value: Json): NativeAttributeValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(toNative);
  return new Map(Object.entries(value).map(([name, inner]) => [name, toNative(inner)]));
}

/** The key and images of a record of the table's stream. */
export type StreamImages = {
  readonly Keys?: Attributes;
  readonly OldImage?: Attributes;
  readonly NewImage?: Attributes;
};

export function feedRecordFrom(seq: string, { Keys = {}, OldImage, NewImage }: StreamImages): FeedRecord {
  const { pk, sk } = itemFrom(Keys);
  return {
    seq,
    key: { pk, sk },
    ...(OldImage && { old: itemFrom(OldImage) }),
    ...(NewImage && { new: itemFrom(NewImage) }),
  };
}
