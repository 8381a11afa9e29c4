import type { Change, Item, Json, Key } from '#shared/ports/table.port.ts';
import { checkAttribute, checkName, isIndexKey } from '#shared/store/item.rules.ts';
import { demand, invalid } from '#shared/store/refuse.rules.ts';

/** DynamoDB's expressions end at 4 KB; this is well below. */
const MAX_ATTRIBUTES = 100;

export function checkChange({ set = {}, add = {}, remove = [], ...other }: Change): void {
  demand(Object.keys(other).length === 0, 'A change sets, adds and removes, and nothing else.');
  const names = [...Object.keys(set), ...Object.keys(add), ...remove];
  demand(names.length > 0, 'A change changes something.');
  demand(names.length <= MAX_ATTRIBUTES, `A change names at most ${MAX_ATTRIBUTES} attributes.`);
  demand(new Set(names).size === names.length, 'A change names an attribute twice.');
  demand(!names.includes('pk') && !names.includes('sk'), 'A key cannot change.');
  for (const name of names) checkName(name);
  for (const [name, value] of Object.entries(set)) checkAttribute(name, value);
  for (const [name, value] of Object.entries(add)) {
    demand(Number.isSafeInteger(value), `${name} takes whole numbers only.`);
    demand(!isIndexKey(name), `${name} belongs to an index, which holds texts.`);
  }
}

/** The item after an update; without an item it creates one. */
export function applyChange(old: Item | undefined, key: Key, { set = {}, add = {}, remove = [] }: Change): Item {
  const next: Record<string, Json> = { ...old, ...set };
  for (const name of remove) delete next[name];
  for (const [name, value] of Object.entries(add)) next[name] = sum(name, next[name], value);
  return { ...next, pk: key.pk, sk: key.sk };
}

function sum(name: string, before: Json = 0, value: number): number {
  if (typeof before !== 'number') throw invalid(`${name} is no number to add to.`);
  const after = before + value;
  demand(
    !Number.isInteger(after) || Number.isSafeInteger(after),
    `${name} grows beyond the whole numbers that are exact.`,
  );
  return after;
}
