import type { ASTNode } from '@marcbachmann/cel-js';

/**
 * What is left out of CEL, as it could keep a function busy or fill its memory: patterns (JavaScript's own may take for
 * ever), names that grow what they hold, a look through a list inside of another one, and literals within literals, as the
 * library remembers each type that it meets. Looks one after the other that write out lists multiply what they hold, by
 * sharing it, without a byte more: comparing two such lists takes years.
 */
const LOOKS_THROUGH: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
const ZONED: ReadonlySet<string> = new Set(['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getHours', 'getMinutes']);
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...LOOKS_THROUGH,
  ...ZONED,
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

/** What an expression may speak of. */
export const NAMES: readonly string[] = ['event', 'data', 'steps'];

/** And where no step has come before it. */
export const NAMES_OF_EVENTS: readonly string[] = NAMES.filter((name) => name !== 'steps');

/** The library reads lengths of time by a pattern that takes the third power of a text's length. */
const DURATION = /^-?(\d{1,9}(\.\d{1,9})?(ms|h|m|s)){1,4}$/;

/** Each makes a text or a list longer, and looking for one long text in another takes the product of both. */
const MOST_SUMS = 10;

/** Each brings a list as long as the one before it. */
const MOST_LOOKS = 2;

/** Inside of looks, of things that both are found in the data and may be large. */
const MOST_COMPARISONS = 10;

/** `names`: what may be spoken of here. `looking`: once for each thing in a list. */
type Place = { readonly names: readonly string[]; readonly looking: boolean };

/** Why it is not evaluated here, though it may be CEL. */
export const faultInExpression = (ast: ASTNode, names: readonly string[]): string | undefined =>
  faultInSums(ast) ?? faultInNode(ast, { names, looking: false });

/** The steps that it names outright: `steps.ask`, `steps["ask"]`. A variable of that name hides them. */
export function stepsNamedIn(node: ASTNode): readonly string[] {
  const name = stepNamedBy(node);
  const inner = (isLook(node) && hidesSteps(node) ? [node.args[1]] : nodesIn(node.args)).flatMap(stepsNamedIn);
  return name === undefined ? inner : [name, ...inner];
}

function stepNamedBy({ op, args }: ASTNode): string | undefined {
  if (op !== '.' && op !== '[]') return undefined;
  const [of, by] = args;
  if (of.op !== 'id' || of.args !== 'steps') return undefined;
  if (typeof by === 'string') return by;
  return by.op === 'value' && typeof by.args === 'string' ? by.args : undefined;
}

function hidesSteps({ args }: Method): boolean {
  const [variable] = args[2];
  return variable?.op === 'id' && variable.args === 'steps';
}

function faultInSums(ast: ASTNode): string | undefined {
  const all = allIn(ast);
  const looks = all.filter(isLook);
  const compared = looks.flatMap(({ args }) => nodesIn(args[2]).flatMap(allIn)).filter(comparesData);
  if (all.filter(isSum).length > MOST_SUMS) return `Must have at most ${MOST_SUMS} sums.`;
  if (looks.length > MOST_LOOKS) return `Must look through lists at most ${MOST_LOOKS} times.`;
  if (compared.length > MOST_COMPARISONS)
    return `Must have at most ${MOST_COMPARISONS} comparisons inside of looks through a list, save with what is written out.`;
  return undefined;
}

type Method = Extract<ASTNode, { op: 'rcall' }>;

const allIn = (node: ASTNode): readonly ASTNode[] => [node, ...nodesIn(node.args).flatMap(allIn)];
const isSum = ({ op }: ASTNode): boolean => op === '+';
const isLook = (node: ASTNode): node is Method => node.op === 'rcall' && LOOKS_THROUGH.has(node.args[0]);
const isConstant = ({ op, args }: ASTNode): boolean => op === 'value' || (op === '-_' && isNode(args) && args.op === 'value');

/** Written out is little: an expression is short. */
function comparesData({ op, args }: ASTNode): boolean {
  if (op === '==' || op === '!=') return !nodesIn(args).some(isConstant);
  return op === 'rcall' && args[0] === 'contains' && !args[2].every(isConstant);
}

function faultInNode(node: ASTNode, place: Place): string | undefined {
  switch (node.op) {
    case 'id':
      return place.names.includes(node.args) ? undefined : `Unknown name: ${node.args}. There are ${place.names.join(', ')}.`;
    case 'list':
      return faultInList(node.args, place);
    case 'map':
      return 'Must not have an object in it.';
    case 'call':
      return faultInCall(node.args[0], node.args[1], place) ?? firstFault(node.args[1], place);
    case 'rcall':
      return faultInMethod(node.args, place);
    case 'in':
      return place.looking ? faultInSearch(node.args, place) : firstFault(node.args, place);
    default:
      if (place.looking && isSum(node)) return 'Must not add anything up inside of a look through a list.';
      return firstFault(nodesIn(node.args), place);
  }
}

function faultInList(items: readonly ASTNode[], place: Place): string | undefined {
  if (place.looking) return 'Must not have a list inside of a look through another one, save to look for something in it.';
  return items.some(({ op }) => op === 'list' || op === 'map') ? 'Must not have a list inside of another one.' : firstFault(items, place);
}

function faultInSearch([sought, list]: readonly [ASTNode, ASTNode], place: Place): string | undefined {
  const isWritten = list.op === 'list' && list.args.every(isConstant);
  if (!isWritten) return 'Must not look for anything inside of a look through a list, save in a list of constants that is written out.';
  return faultInNode(sought, place);
}

function faultInCall(name: string, args: readonly ASTNode[], { looking }: Place): string | undefined {
  if (!FUNCTIONS.has(name)) return `Must not use ${name}().`;
  if (looking && ZONED.has(name) && args.length > 0) return 'Must not name a time zone inside of a look through a list.';
  if (name !== 'duration') return undefined;
  const [length] = args;
  const isWritten = length?.op === 'value' && typeof length.args === 'string' && DURATION.test(length.args);
  return isWritten ? undefined : 'Must write out a duration, such as duration("24h") or duration("1h30m").';
}

function faultInMethod([name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]], place: Place): string | undefined {
  const fault = faultInCall(name, args, place) ?? faultInNode(receiver, place);
  if (fault !== undefined || !LOOKS_THROUGH.has(name)) return fault ?? firstFault(args, place);
  if (place.looking) return `Must not use ${name}() inside of another look through a list.`;
  if (allIn(receiver).some(isSum)) return 'Must not look through what was added up.';
  const [variable, ...rest] = args;
  const names = variable?.op === 'id' ? [...place.names, variable.args] : place.names;
  return firstFault(rest, { names, looking: true });
}

function firstFault(nodes: readonly ASTNode[], place: Place): string | undefined {
  for (const node of nodes) {
    const fault = faultInNode(node, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return isNode(args) ? [args] : [];
}

const isNode = (thing: unknown): thing is ASTNode => typeof thing === 'object' && thing !== null && 'op' in thing && 'args' in thing;
