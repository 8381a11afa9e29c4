import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import type { IconName } from '#client/dashboard/ui/icon.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { AbTest } from '#client/typescript/src/index.ts';

export type Step = {
  readonly step: 'start' | 'pause' | 'complete';
  readonly verb: string;
  readonly icon: IconName;
  readonly done: string;
  readonly text: string;
};

const START: Step = {
  ...{ step: 'start', verb: 'Start', icon: 'play', done: 'is running' },
  text: 'From now on it sends its share of the payments to its variants. Once it has run, its variants stay as they are.',
};
const PAUSE: Step = {
  ...{ step: 'pause', verb: 'Pause', icon: 'pause', done: 'is paused' },
  text: 'The next payments go by the rules again. What it has counted stays, and it can be started again.',
};
const COMPLETE: Step = {
  ...{ step: 'complete', verb: 'Complete', icon: 'check', done: 'is completed' },
  text: 'The next payments go by the rules again. Its results stay, and it cannot be started again.',
};

const STEPS: Readonly<Record<AbTest['status'], readonly Step[]>> = {
  draft: [START],
  running: [PAUSE, COMPLETE],
  paused: [{ ...START, verb: 'Resume' }, COMPLETE],
  completed: [],
};

export const stepsOf = (status: AbTest['status']): readonly Step[] => STEPS[status];

type StepProps = { readonly test: AbTest; readonly step: Step; readonly onClose: () => void };

export const AbTestStep = ({ test: { id, name }, step: { step, verb, done, text }, onClose }: StepProps) => (
  <ConfirmDialog
    title={`${verb} ${name}?`}
    confirm={verb}
    input={{}}
    send={(api, input, options) => api.abTests[step](id, input, options)}
    onDone={() => {
      invalidate('ab-tests', 'simulation', 'replay');
      showToast(`${name} ${done}.`);
      onClose();
    }}
    onClose={onClose}
  >
    <p>{text}</p>
  </ConfirmDialog>
);
