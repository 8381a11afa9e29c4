import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { AbTestResults } from '#client/dashboard/screens/routing/ab-test-results.tsx';
import { AbTestStep, type Step, stepsOf } from '#client/dashboard/screens/routing/ab-test-step.tsx';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge, wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { KeyValue } from '#client/dashboard/ui/values.tsx';
import type { AbTest, RoutingRule } from '#client/typescript/src/index.ts';

type CardProps = { readonly test: AbTest; readonly rules: readonly RoutingRule[] };

/** While a test runs its figures are read again. */
const EVERY_MS = 30_000;

const useResults = ({ id, status }: AbTest) =>
  useQuery(
    ['ab-tests', id, 'results'],
    async (api, options) => {
      const [{ results: variants }, comparison] = await Promise.all([
        api.abTests.getResults(id, {}, options),
        api.abTests.getComparison(id, {}, options),
      ]);
      return { variants, comparison };
    },
    { enabled: status !== 'draft', ...(status === 'running' && { every: EVERY_MS }) },
  );

export function AbTestCard({ test, rules }: CardProps) {
  const { can } = useSession();
  const [step, setStep] = useState<Step>();
  const { name, status, description, start_failure } = test;
  const results = useResults(test);
  return (
    <article class="section card stack" aria-label={name}>
      <div class="row-between">
        <div class="row">
          <h3>{name}</h3>
          <StatusBadge status={status} />
        </div>
        <div class="row">
          {can('connections:write') &&
            stepsOf(status).map((each) => (
              <Button key={each.step} size="small" icon={each.icon} onClick={() => setStep(each)}>
                {each.verb}
              </Button>
            ))}
        </div>
      </div>
      {description && <p class="muted">{description}</p>}
      {start_failure && (
        <Alert tone="warn" title="It could not start by itself" isLive={false}>
          <p>{wordsOf(start_failure)}. Start it, or set another time.</p>
        </Alert>
      )}
      <Facts test={test} rules={rules} />
      {status !== 'draft' && (
        <Loaded query={results} rows={3}>
          {(found) => <AbTestResults {...found} test={test} />}
        </Loaded>
      )}
      {step && <AbTestStep test={test} step={step} onClose={() => setStep(undefined)} />}
    </article>
  );
}

function Facts({ test, rules }: CardProps) {
  const nameOf = useConnectionName();
  const { percent, country } = useFormats();
  const { variants, traffic_percentage, target_countries, target_currencies, target_methods, start_at, end_at } = test;
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const targets = [...target_countries.map(country), ...target_currencies, ...target_methods];
  const arms = variants.map(({ name, routing_rule_id, weight }) => {
    const rule = rules.find(({ id }) => id === routing_rule_id);
    return `${name}: ${percent(weight / total)} → ${rule ? nameOf(rule.connection_id) : 'a deleted rule'}`;
  });
  return (
    <KeyValue
      columns={2}
      items={[
        ['Variants', <Lines key="variants" lines={arms} />],
        [
          'Takes part',
          `${percent(traffic_percentage / 100)} of ${targets.length === 0 ? 'all payments' : targets.join(', ')}`,
        ],
        start_at !== null && ['Starts', <Time key="start" at={start_at} />],
        end_at !== null && ['Ends', <Time key="end" at={end_at} />],
      ]}
    />
  );
}

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul class="plain-list">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
