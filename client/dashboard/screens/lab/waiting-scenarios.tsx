import { useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty } from '#client/dashboard/ui/states.tsx';

type Scenario = {
  readonly provider: string;
  readonly behaviour: string;
  readonly webhook?: string;
  readonly times: number;
  readonly match?: { readonly operation?: string; readonly payment_id?: string; readonly customer_id?: string };
};

/** What the control server says there is to choose, and what still waits. */
export type ScenarioChoices = {
  readonly waiting: readonly Scenario[];
  readonly providers: readonly string[];
  readonly behaviours: readonly string[];
  readonly failure_codes: readonly string[];
  readonly webhooks: readonly string[];
};

export function WaitingScenarios({ waiting }: { readonly waiting: readonly Scenario[] }) {
  const act = useControlAct('lab-scenarios');
  if (waiting.length === 0)
    return (
      <Empty icon="check" title="No scenario waits">
        The providers do what the payment method says.
      </Empty>
    );
  return (
    <div class="stack">
      <ul class="plain stack-small lab-list">
        {waiting.map((scenario, n) => (
          <li key={n}>
            <span class="strong">{providerName(scenario.provider)}</span> <code>{scenario.behaviour}</code>{' '}
            <Badge>{scenario.times} ×</Badge>
            <span class="muted"> {conditionsOf(scenario)}</span>
          </li>
        ))}
      </ul>
      <div>
        <Button tone="danger" isPending={act.isPending} onClick={() => act.run('DELETE', '/psp/scenario')}>
          Remove all
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </div>
  );
}

const conditionsOf = ({ webhook = 'normal', match = {} }: Scenario): string =>
  [
    webhook !== 'normal' && `webhook ${webhook}`,
    match.operation && `for ${match.operation}`,
    match.payment_id,
    match.customer_id && `customer ${match.customer_id}`,
  ]
    .filter(Boolean)
    .join(', ');
