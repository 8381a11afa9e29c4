import { PspRefused } from '#shared/ports/psp.port.ts';

/** What a customer may bring back from a redirect or from Adyen's components, and nothing else. */
const DETAILS = [
  'redirectResult',
  'payload',
  'MD',
  'PaRes',
  'threeDSResult',
  'threeds2.fingerprint',
  'threeds2.challengeResult',
  'oneTimePasscode',
];

type Input = Readonly<Record<string, unknown>>;

const textsOf = (input: Input, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (typeof input[name] === 'string' && input[name] !== '' ? [[name, input[name]]] : [])),
  );

/** The body of the call that goes on with a charge. */
export function detailsParams(input: Input): object {
  const details = textsOf(input, DETAILS);
  if (Object.keys(details).length === 0)
    throw new PspRefused('request', `The input names none of ${DETAILS.join(', ')}.`);
  return { details, ...textsOf(input, ['paymentData']) };
}

/** Return parameters: those of a redirect by GET, then those of an older one by POST. */
export function readReturn(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const [found] = [['redirectResult'], ['payload'], ['MD', 'PaRes']]
    .map((names) => ({ names, given: textsOf(parameters, names) }))
    .filter(isWhole);
  return found?.given;
}

const isWhole = ({ names, given }: { readonly names: readonly string[]; readonly given: object }): boolean =>
  Object.keys(given).length === names.length;
