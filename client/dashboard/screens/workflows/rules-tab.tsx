import { useState } from 'preact/hooks';
import { RuleDialog } from '#client/dashboard/screens/workflows/rule-dialog.tsx';
import { RuleTable } from '#client/dashboard/screens/workflows/rule-table.tsx';
import { useRules } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';

export function RulesTab() {
  const rules = useRules();
  const { can } = useSession();
  const [isCreating, setCreating] = useState(false);
  const create = can('workflows:write') && (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      New rule
    </Button>
  );
  return (
    <Section title="Rules" actions={create} description="Each runs a template for every event of a type that matches.">
      <Loaded query={rules}>{(rows) => <RuleTable rules={rows} />}</Loaded>
      {isCreating && <RuleDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}
