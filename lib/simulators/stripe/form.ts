/** Stripe's form parameters: text in nested hashes and lists. */
export type Form = { readonly [name: string]: FormValue };
export type FormValue = string | Form | readonly FormValue[];

type Node = { [name: string]: string | Node };

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** `a[b][]=x&a[b][]=y&c=z` as `{ a: { b: ['x', 'y'] }, c: 'z' }`. */
export function parseForm(text: string): Form {
  const root: Node = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = NAME.exec(name);
    const path = parts
      ? [parts[1] ?? '', ...[...(parts[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
      : [name];
    setAt(root, path, value);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, toFormValue(value)]));
}

function setAt(node: Node, [head = '', ...rest]: readonly string[], value: string): void {
  const name = head === '' ? String(Object.keys(node).length) : head;
  if (rest.length === 0) {
    node[name] = value;
    return;
  }
  const known = node[name];
  const next: Node = typeof known === 'object' ? known : Object.create(null);
  node[name] = next;
  setAt(next, rest, value);
}

/** A hash whose names are all numbers is a list. */
function toFormValue(node: string | Node): FormValue {
  if (typeof node === 'string') return node;
  const entries = Object.entries(node);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name)))
    return entries.map(([, value]) => toFormValue(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, toFormValue(value)]));
}

export const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text at this path, if there is one. */
export function textAt(input: unknown, ...path: readonly string[]): string | null {
  let value = input;
  for (const name of path) value = isForm(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : null;
}

/** The hash of this name, empty if there is none. */
export function formAt(input: Form, name: string): Form {
  const value = input[name];
  return isForm(value) ? value : {};
}

/** For parameters that were validated as integers. */
export function integerAt(input: Form, name: string): number | null {
  const text = textAt(input, name);
  return text === null ? null : Number(text);
}

export const flagAt = (input: Form, name: string): boolean => textAt(input, name) === 'true';

export function metadataOf(input: Form): Readonly<Record<string, string>> {
  const entries = Object.entries(formAt(input, 'metadata'));
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );
}

export function textsAt(input: Form, name: string): readonly string[] {
  const value = input[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
