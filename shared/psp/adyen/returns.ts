export type Input = Readonly<Record<string, unknown>>;

export const pickTexts = (input: Input, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (typeof input[name] === 'string' && input[name] !== '' ? [[name, input[name]]] : [])),
  );

/** Return parameters of a redirect by GET, or of an older one by POST. */
export function readReturn(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const [found] = [['redirectResult'], ['payload'], ['MD', 'PaRes']]
    .map((names) => ({ names, values: pickTexts(parameters, names) }))
    .filter(isComplete);
  return found?.values;
}

const isComplete = ({ names, values }: { readonly names: readonly string[]; readonly values: object }): boolean =>
  Object.keys(values).length === names.length;
