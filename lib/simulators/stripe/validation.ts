import { invalid, missing } from '#lib/simulators/stripe/errors.ts';
import { type Form, type FormValue, isForm } from '#lib/simulators/stripe/form.ts';

/** What a parameter may be. `fields`: a hash of exactly these; `items`: a list of such hashes; `hash`: any hash. */
type Rule =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'texts'
  | 'hash'
  | 'metadata'
  | { readonly oneOf: readonly string[] }
  | { readonly fields: Shape }
  | { readonly items: Shape };

export type Shape = Readonly<Record<string, Rule>>;

const MOST_METADATA = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

/** Refuses what Stripe refuses, with its words. `at` names the hash that is being looked at. */
export function validate(input: Form, shape: Shape, required: readonly string[] = [], at = ''): void {
  for (const [name, value] of Object.entries(input)) {
    const param = at === '' ? name : `${at}[${name}]`;
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (rule === undefined) throw invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
    check(value, rule, param);
  }
  for (const name of required) if (!Object.hasOwn(input, name)) throw missing(at === '' ? name : `${at}[${name}]`);
}

function check(value: FormValue, rule: Rule, param: string): void {
  if (rule === 'hash') return;
  if (rule === 'metadata') checkMetadata(value, param);
  else if (rule === 'texts') listOf(value, param);
  else if (typeof rule === 'object' && 'fields' in rule) checkHash(value, rule.fields, param);
  else if (typeof rule === 'object' && 'items' in rule)
    for (const [index, item] of listOf(value, param).entries()) checkHash(item, rule.items, `${param}[${index}]`);
  else checkText(value, rule, param);
}

function listOf(value: FormValue, param: string): readonly FormValue[] {
  if (!Array.isArray(value)) throw invalid('Invalid array', { param });
  return value;
}

function checkHash(value: FormValue, fields: Shape, param: string): void {
  if (!isForm(value)) throw invalid('Invalid object', { param });
  validate(value, fields, [], param);
}

function checkText(
  value: FormValue,
  rule: 'text' | 'integer' | 'boolean' | { readonly oneOf: readonly string[] },
  param: string,
): void {
  if (typeof value !== 'string') throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param });
  if (value === '') {
    const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
    throw invalid(message, { param, code: 'parameter_invalid_empty' });
  }
  if (rule === 'integer' && !/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { param, code: 'parameter_invalid_integer' });
  if (rule === 'boolean' && value !== 'true' && value !== 'false')
    throw invalid(`Invalid boolean: ${value}`, { param });
  if (typeof rule === 'object' && !rule.oneOf.includes(value)) {
    throw invalid(`Invalid ${param}: must be one of ${rule.oneOf.slice(0, -1).join(', ')}, or ${rule.oneOf.at(-1)}`, {
      param,
    });
  }
}

function checkMetadata(value: FormValue, param: string): void {
  if (value === '') return;
  if (!isForm(value)) throw invalid('Invalid object', { param });
  const pairs = Object.entries(value);
  if (pairs.length > MOST_METADATA) throw invalid(`You can only set up to ${MOST_METADATA} metadata keys.`, { param });
  for (const [key, text] of pairs) {
    if (typeof text !== 'string')
      throw invalid(`Metadata values must be strings, but for key '${key}' you passed in a value of another type.`, {
        param,
      });
    if (key.length > LONGEST_KEY)
      throw invalid(`Metadata keys can be at most ${LONGEST_KEY} characters, but you passed in '${key}'.`, { param });
    if (text.length > LONGEST_VALUE) {
      throw invalid(
        `Metadata values can have up to ${LONGEST_VALUE} characters, but you passed in a value that is ${text.length} characters.`,
        { param },
      );
    }
  }
}
