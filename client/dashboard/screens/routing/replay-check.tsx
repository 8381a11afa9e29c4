import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { Bars } from '#client/dashboard/ui/bars.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { EditedRoutingRule, RoutingReplay } from '#client/typescript/src/index.ts';

type ReplayCheckProps = {
  /** The whole set, as it would be saved. */
  readonly rules: readonly EditedRoutingRule[];
};

/** Where the last payments would have gone with these rules. It is asked for, as it reads a thousand payments. */
export function ReplayCheck({ rules }: ReplayCheckProps) {
  const [asked, setAsked] = useState<string>();
  const wanted = JSON.stringify(rules);
  if (asked !== wanted)
    return (
      <div>
        <Button icon="retry" onClick={() => setAsked(wanted)}>
          Check with the last payments
        </Button>
      </div>
    );
  return <Replay rules={rules} />;
}

function Replay({ rules }: ReplayCheckProps) {
  const query = useQuery(['replay', rules], (api, options) => api.routingSimulator.replayRouting({ rules }, options));
  return (
    <div class="replay" aria-live="polite">
      <Loaded query={query} rows={2}>
        {(replay) => <ReplayResult replay={replay} />}
      </Loaded>
    </div>
  );
}

function ReplayResult({ replay }: { readonly replay: RoutingReplay }) {
  const { number } = useFormats();
  const { replayed, moved, oldest_at } = replay;
  if (replayed === 0) return <p>There is no payment yet that was routed, so there is nothing to compare.</p>;
  return (
    <>
      <p>
        <strong>{movedOf(moved, replayed, number)}</strong> would have gone elsewhere
        {oldest_at !== null && (
          <span class="muted">
            , since <Time at={oldest_at} as="date" />
          </span>
        )}
        .
      </p>
      {moved > 0 && <Moves replay={replay} />}
      {replay.differs_from_recorded > 0 && (
        <p class="muted">
          {number(replay.differs_from_recorded)} of these payments went elsewhere than the saved rules send them today:
          rules, connections or their health have changed since.
        </p>
      )}
    </>
  );
}

/** `311 of the last 1,000 payments`. */
function movedOf(moved: number, replayed: number, number: (value: number) => string): string {
  if (replayed === 1) return moved === 1 ? 'The last payment' : 'No payment';
  return `${moved === 0 ? 'None' : number(moved)} of the last ${number(replayed)} payments`;
}

const MAX_MOVES = 6;

function Moves({ replay: { moves, sample, replayed } }: { readonly replay: RoutingReplay }) {
  const nameOf = useConnectionName();
  const { number } = useFormats();
  const bars = moves.slice(0, MAX_MOVES).map(({ from, to, payments }) => ({
    key: `${from} ${to}`,
    label: `${nameOf(from)} → ${nameOf(to)}`,
    value: payments,
    text: number(payments),
    ...(to === null && { tone: 'bad' as const }),
  }));
  return (
    <>
      <Bars label="Payments that would have gone elsewhere" bars={bars} max={replayed} />
      <details>
        <summary>Some of these payments</summary>
        <ul class="plain-list">
          {sample.map(({ payment_id, created_at, from, to }) => (
            <li key={payment_id}>
              <a href={`/dashboard/payments/${payment_id}`}>
                <Time at={created_at} />
              </a>{' '}
              <span class="muted">
                {nameOf(from)} → {nameOf(to)}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
