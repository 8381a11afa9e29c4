import { type AwsEnv, readAwsEnv, readHashVersions, type Variables } from '#shared/aws-env.ts';
import { type LocalEnv, readLocalEnv } from '#shared/local-env.ts';

/** The local host's settings. Throws one error that names every invalid variable. */
export const localEnv = (variables: Variables = process.env): LocalEnv => readLocalEnv(variables);

/** The bootstrap command's target, in the variables that functions use; its flags take precedence. */
export const bootstrapEnv = (variables: Variables = process.env) => ({
  table: variables.TABLE_NAME,
  hashKey: variables.HASH_KEY_ARN,
  hashVersions: variables.HASH_VERSIONS,
});

/** The versions of the hash secret that a command needs, in the variable that functions have. */
export function hashVersionsEnv(variables: Variables = process.env): ReturnType<typeof readHashVersions> {
  try {
    return readHashVersions(variables);
  } catch (error) {
    throw new Error(`HASH_VERSIONS: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** A function's settings on AWS. */
export const awsEnv = (variables: Variables = process.env): AwsEnv => readAwsEnv(variables);
