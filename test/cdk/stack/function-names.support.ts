import type { Synthesized } from '#test/cdk/synthesized.support.ts';

/** Logical ids of functions, with the name each has in the table. */
export const functionNames = (stack: Synthesized): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stack.of('AWS::Lambda::Function')).map(([id, { Properties: p }]) => [
      id,
      p.Description.replace(/^payfork /, ''),
    ]),
  );

/** Logical ids of roles, with the name of the function that has it. */
export const roleNames = (stack: Synthesized): ReadonlyMap<string, string> =>
  new Map(
    Object.values(stack.of('AWS::Lambda::Function')).map(({ Properties: p }) => [
      p.Role['Fn::GetAtt'][0],
      p.Description.replace(/^payfork /, ''),
    ]),
  );
