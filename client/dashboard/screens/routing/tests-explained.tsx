import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { Conditions } from '#client/dashboard/screens/routing/rules-explained.tsx';
import { useAbTests } from '#client/dashboard/screens/routing/use-ab-tests.ts';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { Bars } from '#client/dashboard/ui/bars.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import type { AbTestExplained } from '#client/typescript/src/index.ts';

const RESULTS: Readonly<Record<AbTestExplained['result'], string>> = {
  decides: 'It decides.',
  variant_unusable: 'It would decide, but the connection of the variant cannot take the payment.',
  not_in_traffic: 'It is meant for such payments, and this one is not among those that take part.',
  no_match: 'It is not meant for this payment.',
  ended: 'It has ended.',
};

/** Running A/B tests, with the share of such payments that each variant gets. */
export function TestsExplained({ tests }: { readonly tests: readonly AbTestExplained[] }) {
  const names = new Map((useAbTests().data ?? []).map(({ id, name }) => [id, name]));
  return (
    <Section title="Running A/B tests">
      <div class="stack">
        {tests.map((test) => (
          <TestExplained key={test.id} test={test} name={names.get(test.id) ?? test.id} />
        ))}
      </div>
    </Section>
  );
}

function TestExplained({ test, name }: { readonly test: AbTestExplained; readonly name: string }) {
  const nameOf = useConnectionName();
  const { percent } = useFormats();
  const isTargeted = test.result !== 'no_match' && test.result !== 'ended';
  const rest = 1 - test.variants.reduce((sum, { share }) => sum + share, 0);
  const bars = test.variants.map((variant) => ({
    key: variant.name,
    label: `${variant.name} → ${nameOf(variant.connection_id)}${variant.chosen ? ', this payment' : ''}`,
    value: variant.share,
    text: percent(variant.share),
    ...(variant.chosen && { tone: 'good' as const }),
  }));
  const outside = { key: '', label: 'Not in the test', value: rest, text: percent(rest) };
  return (
    <div class="stack-small">
      <p>
        <a class="strong" href="/dashboard/routing/ab-tests">
          {name}
        </a>{' '}
        {RESULTS[test.result]}
      </p>
      {isTargeted ? (
        <Bars label={`Shares of ${name}`} bars={rest > 0.0001 ? [...bars, outside] : bars} max={1} />
      ) : (
        <Conditions conditions={test.conditions} />
      )}
    </div>
  );
}
