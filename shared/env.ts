import { type AwsEnv, readAwsEnv, type Variables } from '#shared/aws-env.ts';
import { type LocalEnv, readLocalEnv } from '#shared/local-env.ts';

/** The local host's settings. Throws one error that names every invalid variable. */
export const localEnv = (variables: Variables = process.env): LocalEnv => readLocalEnv(variables);

/** The bootstrap command's target, in the variables that functions use; its flags take precedence. */
export const bootstrapEnv = (variables: Variables = process.env) => ({
  table: variables.TABLE_NAME,
  hashKey: variables.HASH_KEY_ARN,
});

/** A function's settings on AWS. */
export const awsEnv = (variables: Variables = process.env): AwsEnv => readAwsEnv(variables);
