import { useState } from 'preact/hooks';
import { type ApiProblem, problemOf } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { type Query, useQuery } from '#client/dashboard/api/use-query.ts';
import { control } from '#client/dashboard/screens/lab/control.ts';

/** What is seen of the control server changes by itself: others, and the service, change it too. */
const EVERY = 4_000;

/** How much is asked for of what grows with each payment: after a load test all of it would be megabytes. */
export const MAX_SEEN = 500;

/** Reads from the control server. `name` is what an act names to have it read again. */
export const useControl = <T>(name: string, path: string): Query<T> =>
  useQuery<T>([name, path], (_, { signal }) => control('GET', path, { signal }), { every: EVERY });

export type ControlAct = {
  readonly run: (method: string, path: string, body?: object) => Promise<boolean>;
  readonly isPending: boolean;
  readonly problem: ApiProblem | undefined;
};

/** Changes something there, and has what is shown of these names read again. True if it was done. */
export function useControlAct(...names: readonly string[]): ControlAct {
  const [state, setState] = useState<{ isPending: boolean; problem?: ApiProblem }>({ isPending: false });
  async function run(method: string, path: string, body?: object): Promise<boolean> {
    setState({ isPending: true });
    try {
      await control(method, path, body ? { body } : {});
      setState({ isPending: false });
      return true;
    } catch (error) {
      setState({ isPending: false, problem: problemOf(error) });
      return false;
    } finally {
      invalidate(...names);
    }
  }
  return { run, isPending: state.isPending, problem: state.problem };
}
