import type { ASTNode } from '@marcbachmann/cel-js';

/**
 * CEL without what could keep a function busy or fill its memory: regular expressions (JavaScript's may run for ever),
 * functions that grow a value, loops over a list within loops, and literals within literals, as the library remembers
 * each type it meets. Also limited are consecutive loops that build lists: they multiply shared elements at no cost in
 * memory, and comparing two such lists takes years.
 */
const LOOP_FUNCTIONS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
const TIME_ZONE_FUNCTIONS: ReadonlySet<string> = new Set([
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
]);
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...LOOP_FUNCTIONS,
  ...TIME_ZONE_FUNCTIONS,
  'has',
  'size',
  'contains',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'int',
  'double',
  'string',
  'bool',
  'timestamp',
  'duration',
]);

/** The names that an expression may use. */
export const NAMES: readonly string[] = ['event', 'data', 'steps', 'execution'];

/** The names that a rule's condition may use: no execution runs yet. */
export const NAMES_OF_EVENTS: readonly string[] = ['event', 'data'];

/** The library's own pattern for durations takes time cubic in the text's length. */
const DURATION = /^-?(\d{1,9}(\.\d{1,9})?(ms|h|m|s)){1,4}$/;

/** Each sum makes a text or list longer, and searching one long text in another takes the product of both lengths. */
export const MAX_SUMS = 10;

/** Each loop can yield a list as long as the one before it. */
export const MAX_LOOPS = 2;

/** Comparisons within loops of two values from the data, both of which may be large. */
export const MAX_COMPARISONS = 10;

/** `names`: the names that may be used here. `looking`: inside a loop, so evaluated once for each element. */
type Scope = { readonly names: readonly string[]; readonly inLoop: boolean };

/** Why we refuse it, though it may be valid CEL. */
export const faultInExpression = (ast: ASTNode, names: readonly string[]): string | undefined =>
  faultInSums(ast) ?? faultInNode(ast, { names, inLoop: false });

/** Names that lead from one thing to what is in it: `steps`, `ask`, `status_code`. */
export type NamePath = readonly string[];

/**
 * The paths that it spells out: `steps.ask.status`, `steps["ask"]["status"]`. A loop variable of the same name hides
 * the outer name.
 */
export function pathsIn(node: ASTNode, names = NAMES): readonly NamePath[] {
  const path = pathOf(node);
  if (path) return names.includes(String(path[0])) ? [path] : [];
  if (!isLoop(node)) return nodesIn(node.args).flatMap((inner) => pathsIn(inner, names));
  const [, receiver, [variable, ...rest]] = node.args;
  const seen = names.filter((name) => variable?.op !== 'id' || name !== variable.args);
  return [...pathsIn(receiver, names), ...rest.flatMap((inner) => pathsIn(inner, seen))];
}

function pathOf({ op, args }: ASTNode): NamePath | undefined {
  if (op === 'id') return [args];
  if (op !== '.' && op !== '[]') return undefined;
  const [of, by] = args;
  const before = pathOf(of);
  const name = typeof by === 'string' ? by : literalText(by);
  return before && name !== undefined ? [...before, name] : undefined;
}

const literalText = ({ op, args }: ASTNode): string | undefined =>
  op === 'value' && typeof args === 'string' ? args : undefined;

/** The paths that an expression only tests, with has(). */
export function pathsTestedIn(node: ASTNode): readonly NamePath[] {
  if (node.op === 'call' && node.args[0] === 'has') return node.args[1].flatMap((inner) => pathsIn(inner));
  return nodesIn(node.args).flatMap(pathsTestedIn);
}

function faultInSums(ast: ASTNode): string | undefined {
  const all = allIn(ast);
  const loops = all.filter(isLoop);
  const compared = loops.flatMap(({ args }) => nodesIn(args[2]).flatMap(allIn)).filter(comparesData);
  if (all.filter(isSum).length > MAX_SUMS) return `Must have at most ${MAX_SUMS} sums.`;
  if (loops.length > MAX_LOOPS) return `Must have at most ${MAX_LOOPS} loops over lists.`;
  if (compared.length > MAX_COMPARISONS)
    return (
      `Must have at most ${MAX_COMPARISONS} comparisons of event values within loops. Comparisons ` +
      'with constants are not limited.'
    );
  return undefined;
}

type MethodCall = Extract<ASTNode, { op: 'rcall' }>;

const allIn = (node: ASTNode): readonly ASTNode[] => [node, ...nodesIn(node.args).flatMap(allIn)];
const isSum = ({ op }: ASTNode): boolean => op === '+';
const isLoop = (node: ASTNode): node is MethodCall => node.op === 'rcall' && LOOP_FUNCTIONS.has(node.args[0]);
const isConstant = ({ op, args }: ASTNode): boolean =>
  op === 'value' || (op === '-_' && isNode(args) && args.op === 'value');

/** A literal is small: the expression is short. */
function comparesData({ op, args }: ASTNode): boolean {
  if (op === '==' || op === '!=') return !nodesIn(args).some(isConstant);
  return op === 'rcall' && args[0] === 'contains' && !args[2].every(isConstant);
}

function faultInNode(node: ASTNode, scope: Scope): string | undefined {
  switch (node.op) {
    case 'id':
      return scope.names.includes(node.args)
        ? undefined
        : `Unknown name: ${node.args}. Available names: ${scope.names.join(', ')}.`;
    case 'list':
      return faultInList(node.args, scope);
    case 'map':
      return 'Must not contain an object.';
    case 'call':
      return faultInCall(node.args[0], node.args[1], scope) ?? firstFault(node.args[1], scope);
    case 'rcall':
      return faultInMethod(node.args, scope);
    case 'in':
      return scope.inLoop ? faultInSearch(node.args, scope) : firstFault(node.args, scope);
    default:
      if (scope.inLoop && isSum(node)) return 'Must not use + within a loop.';
      return firstFault(nodesIn(node.args), scope);
  }
}

function faultInList(items: readonly ASTNode[], scope: Scope): string | undefined {
  if (scope.inLoop) return 'Must not contain a list within a loop, except a list of constants after in.';
  return items.some(({ op }) => op === 'list' || op === 'map')
    ? 'Must not contain a list within another list.'
    : firstFault(items, scope);
}

function faultInSearch([item, list]: readonly [ASTNode, ASTNode], scope: Scope): string | undefined {
  const isLiteral = list.op === 'list' && list.args.every(isConstant);
  if (!isLiteral) return 'Must not use in within a loop, except with a list of constants.';
  return faultInNode(item, scope);
}

function faultInCall(name: string, args: readonly ASTNode[], { inLoop }: Scope): string | undefined {
  if (!FUNCTIONS.has(name)) return `Must not use ${name}().`;
  if (inLoop && TIME_ZONE_FUNCTIONS.has(name) && args.length > 0) return 'Must not name a time zone within a loop.';
  if (name !== 'duration') return undefined;
  const [length] = args;
  const isConstantDuration = length?.op === 'value' && typeof length.args === 'string' && DURATION.test(length.args);
  return isConstantDuration
    ? undefined
    : 'duration() must have a constant, such as duration("24h") or duration("1h30m").';
}

function faultInMethod(
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  scope: Scope,
): string | undefined {
  const fault = faultInCall(name, args, scope) ?? faultInNode(receiver, scope);
  if (fault !== undefined || !LOOP_FUNCTIONS.has(name)) return fault ?? firstFault(args, scope);
  if (scope.inLoop) return `Must not use ${name}() within another loop.`;
  if (allIn(receiver).some(isSum)) return 'Must not loop over the result of +.';
  const [variable, ...rest] = args;
  const names = variable?.op === 'id' ? [...scope.names, variable.args] : scope.names;
  return firstFault(rest, { names, inLoop: true });
}

function firstFault(nodes: readonly ASTNode[], scope: Scope): string | undefined {
  for (const node of nodes) {
    const fault = faultInNode(node, scope);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return isNode(args) ? [args] : [];
}

const isNode = (thing: unknown): thing is ASTNode =>
  typeof thing === 'object' && thing !== null && 'op' in thing && 'args' in thing;
