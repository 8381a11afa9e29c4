import { type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

/** Logical ids of functions, with the name each has in the table. */
export const functionNames = (stack: Synthesized): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stack.of('AWS::Lambda::Function')).map(([id, { Properties: p }]) => [
      id,
      p.Description.replace(/^payfork /, ''),
    ]),
  );

/** The name of the function whose alias this refers to, in whatever form. Fails if it refers to the function itself. */
export function invokedName(stack: Synthesized, target: Properties): string | undefined {
  const [alias] = /Functions\w+Alias[0-9A-F]{8}/.exec(JSON.stringify(target)) ?? [];
  const { FunctionName } = stack.of('AWS::Lambda::Alias')[alias ?? '']?.Properties ?? {};
  return FunctionName && functionNames(stack).get(FunctionName.Ref);
}

/** The name of the function that has this role: the last part of the role's own name. */
export const roleFunction = (stack: Synthesized, roleArn: Properties): string =>
  textOf(roleArn).replace(new RegExp(`^.*role/${stack.name}-<AWS::Region>-`), '');
