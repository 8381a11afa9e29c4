import { isPayforkError } from '#client/typescript/src/index.ts';

export type ProofMethod = 'passkey' | 'totp' | 'mail';

/** What asks for a proof, and who waits for the answer. */
export type ProofRequest = { readonly methods: readonly ProofMethod[]; readonly settle: (proved: boolean) => void };

const METHODS: readonly ProofMethod[] = ['passkey', 'totp', 'mail'];

let listener: ((request: ProofRequest) => void) | undefined;

/** The frame shows the dialog. Returns what ends that. */
export function listenForProofs(listen: (request: ProofRequest) => void): () => void {
  listener = listen;
  return () => {
    listener = undefined;
  };
}

/** The methods that the API takes, if a request was refused because the person's proof is too old. */
export function proofMethodsIn(error: unknown): readonly ProofMethod[] | undefined {
  if (!isPayforkError(error, 'fresh_proof_required')) return undefined;
  const { methods } = Object(error.details) as { readonly methods?: unknown };
  const known = METHODS.filter((method) => Array.isArray(methods) && methods.includes(method));
  return known.length > 0 ? known : ['mail'];
}

const askFor = (methods: readonly ProofMethod[]): Promise<boolean> =>
  new Promise((settle) => (listener ? listener({ methods, settle }) : settle(false)));

/**
 * Sends a change that may need a proof of who the person is. Where the API asks for one, the dialog asks the person,
 * and the change is sent again. Without a proof the refusal stands.
 */
export async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const methods = proofMethodsIn(error);
    if (!methods || !(await askFor(methods))) throw error;
    return withProof(send);
  }
}
