/**
 * CloudWatch's patterns for JSON lines, as metric filters use them: `{ ($.level = "ERROR") && ($.status >= 500) }`.
 * Comparisons of texts know a star at either end; a field that is missing matches nothing, not even `!=`.
 */
type Test = (line: unknown) => boolean;

const TOKEN = /\s*(&&|\|\||[()]|\$\.[\w.]+|!=|<=|>=|[=<>]|"[^"]*"|-?\d+(?:\.\d+)?)/y;

export function filterPattern(pattern: string): Test {
  const [, inner] = /^\{(.*)\}$/s.exec(pattern.trim()) ?? [];
  if (inner === undefined) throw new Error(`${pattern} is no pattern for JSON lines.`);
  const tokens = tokensOf(inner);
  const test = anyOf(tokens);
  if (tokens.length > 0) throw new Error(`${pattern} goes on after its end: ${tokens.join(' ')}`);
  return test;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`Not understood: ${text.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

function anyOf(tokens: string[]): Test {
  const tests = [allOf(tokens)];
  while (tokens[0] === '||' && tokens.shift()) tests.push(allOf(tokens));
  return (line) => tests.some((test) => test(line));
}

function allOf(tokens: string[]): Test {
  const tests = [single(tokens)];
  while (tokens[0] === '&&' && tokens.shift()) tests.push(single(tokens));
  return (line) => tests.every((test) => test(line));
}

function single(tokens: string[]): Test {
  const first = tokens.shift();
  if (first === '(') {
    const test = anyOf(tokens);
    if (tokens.shift() !== ')') throw new Error('A bracket is not closed.');
    return test;
  }
  const [operator = '', wanted = ''] = tokens.splice(0, 2);
  if (!first?.startsWith('$.')) throw new Error(`A comparison begins with a field, not with ${first}.`);
  return (line) => compare(valueAt(line, first), operator, wanted);
}

export const valueAt = (line: unknown, field: string): unknown =>
  field
    .slice(2)
    .split('.')
    .reduce<unknown>((value, name) => Object(value)[name], line);

function compare(value: unknown, operator: string, wanted: string): boolean {
  if (value === undefined || value === null) return false;
  if (wanted.startsWith('"')) {
    const isEqual = typeof value === 'string' && likeText(wanted.slice(1, -1)).test(value);
    return operator === '=' ? isEqual : operator === '!=' && !isEqual;
  }
  if (typeof value !== 'number') return false;
  const difference = value - Number(wanted);
  const results: Readonly<Record<string, boolean>> = {
    '=': difference === 0,
    '!=': difference !== 0,
    '<': difference < 0,
    '<=': difference <= 0,
    '>': difference > 0,
    '>=': difference >= 0,
  };
  return results[operator] ?? false;
}

const likeText = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
