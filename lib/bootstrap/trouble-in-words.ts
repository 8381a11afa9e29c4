import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { TableError } from '#shared/ports/table.port.ts';

type Place = Pick<BootstrapOptions, 'table' | 'hashKey' | 'stage'>;

const SIGN_IN =
  'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), to credentials of the account that the stack lies in.';
const where = ({ hashKey, stage }: Place) =>
  `in the account of these credentials, region ${hashKey.split(':')[3]}. Is it an output of ${STACK_NAMES[stage]}?`;

/** What the operator can do about an AWS error. A line here is an error that we have words for. */
const WORDS: Readonly<Record<string, (place: Place) => string>> = {
  CredentialsProviderError: () => `There are no AWS credentials. ${SIGN_IN}`,
  ExpiredTokenException: () => `The AWS credentials have expired. ${SIGN_IN}`,
  UnrecognizedClientException: () => `AWS does not know these credentials. ${SIGN_IN}`,
  InvalidSignatureException: () => `AWS does not accept these credentials. ${SIGN_IN}`,
  ResourceNotFoundException: (place) => `There is no table ${place.table} ${where(place)}`,
  NotFoundException: (place) => `There is no key ${place.hashKey} ${where(place)}`,
  InvalidKeyUsageException: ({ hashKey }) =>
    `${hashKey} is a key of another kind. --hash-key is the output HashKeyArn.`,
  AccessDeniedException: ({ table, hashKey }) =>
    `These credentials need dynamodb:Query, dynamodb:GetItem and dynamodb:PutItem on the table ${table}, and kms:GenerateMac with ${hashKey}.`,
};

/** The error with its remedy; one that we have no words for stays as it is. */
export function inWords(error: unknown, place: Place): unknown {
  const cause = error instanceof TableError ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const words = WORDS[cause.name]?.(place);
  return words === undefined ? error : new Error(words, { cause });
}
