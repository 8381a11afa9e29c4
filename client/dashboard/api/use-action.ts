import { useRef, useState } from 'preact/hooks';
import { type ApiProblem, isOutcomeUnknown, isSignedOut, problemOf } from '#client/dashboard/api/api-problem.ts';
import { withProof } from '#client/dashboard/shell/proof-request.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import type { Payfork } from '#client/typescript/src/index.ts';

export type Send<Input, Result> = (
  api: Payfork,
  input: Input,
  options: { readonly idempotencyKey: string },
) => Promise<Result>;

export type Action<Input> = {
  /** Sends the change; true if it was done. While its outcome is unknown, the same request is sent again. */
  readonly run: (input: Input) => Promise<boolean>;
  readonly isPending: boolean;
  readonly problem: ApiProblem | undefined;
  /** The response was lost. `run` repeats the same request with the same key now, whatever its input is. */
  readonly isUnknown: boolean;
};

type Attempt = { readonly key: string; isRunning: boolean; unknown?: { readonly input: unknown } };

/**
 * A change of something. One idempotency key is made when the component appears (a dialog opens), and kept until the
 * outcome is known: pressing the button again after a lost response continues the same operation. `isSafe`: it may happen
 * twice, such as a check of what was typed, so that each press sends what is typed by then.
 */
export function useAction<Input, Result>(
  send: Send<Input, Result>,
  onDone?: (result: Result) => void,
  { isSafe = false }: { readonly isSafe?: boolean } = {},
): Action<Input> {
  const { api, endSession } = useSession();
  const [state, setState] = useState<{ isPending: boolean; problem?: ApiProblem }>({ isPending: false });
  const attempt = useRef<Attempt>(newAttempt());

  async function run(input: Input): Promise<boolean> {
    const now = attempt.current;
    if (now.isRunning) return false;
    now.isRunning = true;
    setState({ isPending: true });
    const sent = now.unknown ? (now.unknown.input as Input) : input;
    try {
      const result = await withProof(() => send(api, sent, { idempotencyKey: now.key }));
      attempt.current = newAttempt();
      setState({ isPending: false });
      onDone?.(result);
      return true;
    } catch (error) {
      const problem = problemOf(error);
      const isOpen = !isSafe && isOutcomeUnknown(problem, now.unknown !== undefined);
      attempt.current = isOpen ? { ...now, isRunning: false, unknown: { input: sent } } : newAttempt();
      if (isSignedOut(problem)) endSession();
      setState({ isPending: false, problem });
      return false;
    }
  }

  return { ...state, run, problem: state.problem, isUnknown: attempt.current.unknown !== undefined };
}

const newAttempt = (): Attempt => ({ key: newKey(), isRunning: false });

/** 128 random bits. `crypto.randomUUID` is missing in pages that were not loaded over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
