import { useState } from 'preact/hooks';
import { AbTestCard } from '#client/dashboard/screens/routing/ab-test-card.tsx';
import { AbTestForm } from '#client/dashboard/screens/routing/ab-test-form.tsx';
import { useAbTests } from '#client/dashboard/screens/routing/use-ab-tests.ts';
import { useRules } from '#client/dashboard/screens/routing/use-routing.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import type { AbTest } from '#client/typescript/src/index.ts';

const ORDER: readonly AbTest['status'][] = ['running', 'paused', 'draft', 'completed'];
const byStatus = (a: AbTest, b: AbTest): number => ORDER.indexOf(a.status) - ORDER.indexOf(b.status);

/** Compares routing rules on real payments. */
export function AbTests() {
  const { can } = useSession();
  const tests = useAbTests();
  const rules = useRules().data ?? [];
  const [isNew, setNew] = useState(false);
  const canCreate = can('connections:write') && rules.length >= 2;
  const create = canCreate && (
    <Button tone="primary" icon="plus" onClick={() => setNew(true)}>
      New A/B test
    </Button>
  );
  return (
    <Section
      title="A/B tests"
      description="A running test sends a share of the payments to the connections of its variants, and counts how they do. A customer always stays in one variant."
      actions={create}
    >
      <Loaded query={tests}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="routing" title="No A/B tests yet">
              <p>
                {rules.length < 2
                  ? 'A test compares routing rules: make at least two first. They may be turned off.'
                  : 'Compare two connections on real payments before you send all there.'}
              </p>
            </Empty>
          ) : (
            <div class="stack">
              {all.toSorted(byStatus).map((test) => (
                <AbTestCard key={test.id} test={test} rules={rules} />
              ))}
            </div>
          )
        }
      </Loaded>
      {isNew && <AbTestForm rules={rules} onClose={() => setNew(false)} />}
    </Section>
  );
}
