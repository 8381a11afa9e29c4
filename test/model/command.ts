import type fc from 'fast-check';
import type { Model } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';

/** One step of a run; its text is shown by a failure. */
export type Command = fc.AsyncCommand<Model, Round>;

type Step = (model: Model, round: Round) => Promise<void>;

export const command = (text: string, when: (model: Model) => boolean, run: Step): Command => ({
  check: (model) => when(model),
  run,
  toString: () => text,
});

export const always = (): boolean => true;
