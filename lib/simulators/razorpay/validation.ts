import { isObject } from '#lib/simulators/frame/json.ts';
import { invalid } from '#lib/simulators/razorpay/errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * A field's type. A number: text of at most this length; a list: one of these words; a hash: an object of exactly these
 * fields.
 */
type Rule =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'flag'
  | 'notes'
  | 'any'
  | number
  | readonly string[]
  | { readonly fields: Shape };
export type Shape = Readonly<Record<string, Rule>>;

const MOST_NOTES = 15;
const LONGEST_NOTE = 256;

/** Refuses what Razorpay refuses, with its words. */
export function validate(input: Fields, shape: Shape, required: readonly string[] = []): void {
  for (const name of required) if (input[name] === undefined) throw invalid(`${name}: is required.`, name);
  for (const [name, value] of Object.entries(input)) {
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (rule === undefined) throw invalid(`${name} is/are not required and should not be sent`, name);
    check(name, value, rule);
  }
}

function check(name: string, value: unknown, rule: Rule): void {
  if (rule === 'any') return;
  if (rule === 'notes') checkNotes(value);
  else if (rule === 'integer')
    need(typeof value === 'number' && Number.isInteger(value), name, `The ${name} must be an integer.`);
  else if (rule === 'boolean') need(typeof value === 'boolean', name, `The ${name} field must be true or false.`);
  else if (rule === 'flag')
    need(
      value === true || value === false || value === 0 || value === 1,
      name,
      `The ${name} field must be true or false.`,
    );
  else if (typeof rule === 'object' && 'fields' in rule) checkHash(name, value, rule.fields);
  else checkText(name, value, rule);
}

function need(holds: boolean, field: string, description: string): void {
  if (!holds) throw invalid(description, field);
}

function checkHash(name: string, value: unknown, fields: Shape): void {
  if (!isObject(value)) throw invalid(`The ${name} must be an object.`, name);
  validate(value, fields);
}

function checkText(name: string, value: unknown, rule: 'text' | number | readonly string[]): void {
  if (typeof value !== 'string' || value === '') throw invalid(`The ${name} must be a string.`, name);
  if (typeof rule === 'number')
    need(value.length <= rule, name, `The ${name} may not be greater than ${rule} characters.`);
  if (typeof rule === 'object') need(rule.includes(value), name, `The selected ${name} is invalid.`);
}

function checkNotes(value: unknown): void {
  if (Array.isArray(value) && value.length === 0) return;
  if (!isObject(value)) throw invalid('The notes must be an object.', 'notes');
  const pairs = Object.entries(value);
  need(pairs.length <= MOST_NOTES, 'notes', `Number of fields in notes should be less than or equal to ${MOST_NOTES}`);
  for (const [, text] of pairs)
    need(
      typeof text === 'string' || typeof text === 'number',
      'notes',
      'Only strings and numbers are allowed in notes',
    );
  for (const [, text] of pairs)
    need(String(text).length <= LONGEST_NOTE, 'notes', `Notes value cannot be greater than ${LONGEST_NOTE} characters`);
}

export const textIn = (input: Fields, name: string): string | null => {
  const value = input[name];
  return typeof value === 'string' ? value : null;
};
export const integerIn = (input: Fields, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};
export const hashIn = (input: Fields, name: string): Fields => {
  const value = input[name];
  return isObject(value) ? value : {};
};
/** As they are shown again. */
export const notesIn = (input: Fields): Fields | readonly [] =>
  Object.keys(hashIn(input, 'notes')).length === 0 ? [] : hashIn(input, 'notes');
/** Our payment id, as the merchant sees it in the dashboard. */
export const paymentIdIn = (input: Fields): string | null => textIn(hashIn(input, 'notes'), 'payment_id');
