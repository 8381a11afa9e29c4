import { ConnectionsExplained } from '#client/dashboard/screens/routing/connections-explained.tsx';
import { RulesExplained } from '#client/dashboard/screens/routing/rules-explained.tsx';
import { TestsExplained } from '#client/dashboard/screens/routing/tests-explained.tsx';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { fraudText } from '#client/dashboard/screens/routing/words.ts';
import { Alert, type Tone } from '#client/dashboard/ui/alert.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import type { RoutingSimulation } from '#client/typescript/src/index.ts';

type ResultProps = {
  readonly simulation: RoutingSimulation;
  /** With rules that are not saved. */
  readonly isEdited: boolean;
};

export function SimulationResult({ simulation, isEdited }: ResultProps) {
  const { rules, ab_tests, connections } = simulation;
  return (
    <>
      <Verdict {...{ simulation, isEdited }} />
      {simulation.fraud && <Fraud fraud={simulation.fraud} />}
      {ab_tests.length > 0 && <TestsExplained tests={ab_tests} />}
      {rules.length > 0 && <RulesExplained rules={rules} />}
      <ConnectionsExplained connections={connections} />
    </>
  );
}

const TONES: Readonly<Record<RoutingSimulation['outcome'], Tone>> = {
  ...{ routed: 'good', blocked: 'bad', no_route: 'bad', refused: 'warn' },
} as const;

function Verdict({ simulation, isEdited }: ResultProps) {
  const nameOf = useConnectionName();
  const { outcome, connection_id, failure, order, by_chance } = simulation;
  const title = outcome === 'routed' ? `It goes to ${nameOf(connection_id)}` : TITLES[outcome];
  return (
    <Alert tone={TONES[outcome]} title={isEdited ? `${title}, with the new order` : title}>
      {failure && <p>{failure.message}</p>}
      {outcome !== 'refused' && <p>{whyOf(simulation)}</p>}
      {order.length > 1 && (
        <p>If it fails there in a way that allows it: {order.slice(1).map(nameOf).join(', then ')}.</p>
      )}
      {by_chance && (
        <p>
          Most payments like this go there. A share goes elsewhere, by an A/B test or to probe a connection in trouble.
          Name a customer or a payment to see theirs.
        </p>
      )}
    </Alert>
  );
}

const TITLES = {
  blocked: 'It is blocked by the fraud policy',
  no_route: 'No connection can take it',
  refused: 'The API refuses it',
} as const;

function whyOf({ routing, rules, outcome }: RoutingSimulation): string {
  if (outcome === 'blocked') return 'No provider is asked.';
  if (routing.source === 'ab_test') return `An A/B test decides: it is in variant ${routing.variant}.`;
  const rule = rules.find(({ id }) => id === routing.rule_id);
  const name = rule?.name || 'A rule';
  if (routing.source === 'rule') return `${name} is the first rule that matches.`;
  if (rule) return `${name} matches, but its connection cannot take it. So default routing decides.`;
  return rules.length === 0
    ? 'There are no rules: default routing decides.'
    : 'No rule matches: default routing decides.';
}

function Fraud({ fraud }: { readonly fraud: NonNullable<RoutingSimulation['fraud']> }) {
  const { decision, reasons, velocity_rules } = fraud;
  return (
    <Section title="Fraud policy">
      <p>{reasons.length === 0 ? 'Nothing in the policy speaks against it.' : `It is ${decision}:`}</p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{fraudText(reason)}</li>
          ))}
        </ul>
      )}
      {velocity_rules > 0 && (
        <p class="muted">
          {velocity_rules === 1
            ? 'One rule that counts payments is'
            : `${velocity_rules} rules that count payments are`}{' '}
          not applied here: a simulation counts nothing.
        </p>
      )}
    </Section>
  );
}
