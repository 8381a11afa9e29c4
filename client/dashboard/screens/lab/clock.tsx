import { useState } from 'preact/hooks';
import { type ApiProblem, problemOf } from '#client/dashboard/api/api-problem.ts';
import { forgetQueries } from '#client/dashboard/api/query-cache.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { type ClockMove, moveClock } from '#client/dashboard/screens/lab/move-clock.ts';
import { useControl, useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

const STEPS = [
  { label: '+1 hour', advance: '1h' },
  { label: '+1 day', advance: '1d' },
  { label: '+7 days', advance: '7d' },
  { label: '+31 days', advance: '31d' },
] as const;

type Now = { readonly now: string };

export function Clock() {
  const query = useControl<Now>('lab-clock', '/clock');
  return <Loaded query={query}>{({ now }) => <ClockAt now={now} refetch={query.refetch} />}</Loaded>;
}

type ClockAtProps = Now & { readonly refetch: () => void };

function ClockAt({ now, refetch }: ClockAtProps) {
  const formats = useFormats();
  const { move, moving, problem } = useMoves(refetch);
  return (
    <Columns>
      <Section title="The service’s time" isCard>
        <div class="stack">
          <div>
            <p class="lab-time">{formats.time(now)}</p>
            <p class="muted">{now.slice(0, 19).replace('T', ' ')} UTC</p>
          </div>
          <Steps moving={moving} onStep={(label, advance) => move(label, { advance })} />
          <p class="muted" role="status">
            {moving === undefined ? 'It moves forward only.' : 'Doing everything that falls due on the way…'}
          </p>
          <ActionProblem problem={problem} isUnknown={false} />
        </div>
      </Section>
      <SetClock isMoving={moving !== undefined} onSet={(set) => move('set', { set })} />
      <Drain />
    </Columns>
  );
}

/** What falls due on the way has happened when a move is done. `moving`: what is being done now. */
function useMoves(refetch: () => void) {
  const { user, reloadSession } = useSession();
  const [moving, setMoving] = useState<string>();
  const [problem, setProblem] = useState<ApiProblem>();
  async function move(label: string, to: ClockMove): Promise<void> {
    setMoving(label);
    setProblem(undefined);
    try {
      const session = await moveClock(to, user.email);
      forgetQueries();
      // With a new session the page starts anew: anything on it may have been refused meanwhile.
      if (session === 'renewed') return location.reload();
      reloadSession();
      showToast('The clock moved, and what fell due is done.');
    } catch (error) {
      setProblem(problemOf(error));
    }
    refetch();
    setMoving(undefined);
  }
  return { move, moving, problem };
}

type StepsProps = {
  readonly moving: string | undefined;
  readonly onStep: (label: string, advance: string) => void;
};

const Steps = ({ moving, onStep }: StepsProps) => (
  <div class="row">
    {STEPS.map(({ label, advance }) => (
      <Button
        key={advance}
        tone={advance === '31d' ? 'primary' : 'secondary'}
        isPending={moving === label}
        disabled={moving !== undefined && moving !== label}
        onClick={() => onStep(label, advance)}
      >
        {label}
      </Button>
    ))}
  </div>
);

function SetClock({ isMoving, onSet }: { readonly isMoving: boolean; readonly onSet: (iso: string) => void }) {
  const [text, setText] = useState('');
  return (
    <Section title="Go to a time" isCard>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== '') onSet(new Date(text).toISOString());
        }}
      >
        <Input label="Time, in your time zone" type="datetime-local" value={text} onValue={setText} required />
        <div>
          <Button type="submit" isPending={isMoving} disabled={text === ''}>
            Go there
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** Events, queues and mails are worked off within a moment anyway: this waits until they are. */
function Drain() {
  const act = useControlAct();
  return (
    <Section title="Background work" isCard>
      <div class="stack">
        <p class="muted">Events, deliveries and mails are worked off in the background. Wait here until all are.</p>
        <div>
          <Button
            isPending={act.isPending}
            onClick={async () => (await act.run('POST', '/drain')) && showToast('Everything is worked off.')}
          >
            Wait for all of it
          </Button>
        </div>
        <ActionProblem problem={act.problem} isUnknown={false} />
      </div>
    </Section>
  );
}
