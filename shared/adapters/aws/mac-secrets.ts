import type { HashRotations, MacSecretName, MacSecrets } from '#shared/ports/deps.ts';

/** Reading a secret that is not among these throws: a hash with a wrong secret would find nothing. */
export function macSecrets(
  known: Readonly<Partial<Record<MacSecretName, string>>>,
  rotations: HashRotations = {},
): MacSecrets {
  const read = (name: MacSecretName): string => {
    const secret = known[name];
    if (secret === undefined)
      throw new Error(`This function has no ${name}. Add it to its line in the function table.`);
    return secret;
  };
  return {
    get hashSecret() {
      return read('hashSecret');
    },
    get tokenSecret() {
      return read('tokenSecret');
    },
    get recoverySecret() {
      return read('recoverySecret');
    },
    ...(Object.keys(rotations).length > 0 && { rotations }),
  };
}
