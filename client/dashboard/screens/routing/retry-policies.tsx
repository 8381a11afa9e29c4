import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { codesIn } from '#client/dashboard/screens/routing/codes.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { RetryPolicy } from '#client/typescript/src/index.ts';

type Policy = Pick<RetryPolicy, 'plan_id' | 'delays' | 'max_retries'>;

/** What applies where no policy was saved: as the API's document says. */
const STANDARD: Policy = { plan_id: '', delays: ['24h', '72h', '120h'], max_retries: 3 };
const FRESH: Policy = { ...STANDARD, plan_id: ' ' };

export function RetryPolicies() {
  const { can } = useSession();
  const [open, setOpen] = useState<Policy>();
  const query = useQuery(['retry-policies'], async (api, options) => {
    const all: RetryPolicy[] = [];
    for await (const policy of api.policies.listRetryPolicies({ limit: 200 }, options)) all.push(policy);
    return all;
  });
  const add = can('subscriptions:write') && (
    <Button icon="plus" onClick={() => setOpen(FRESH)}>
      Policy for a plan
    </Button>
  );
  return (
    <Section
      title="Retry policies"
      description="When an invoice of a subscription that was not paid is collected again."
      actions={add}
      isCard
    >
      <Loaded query={query}>{(policies) => <Policies policies={policies} onOpen={setOpen} />}</Loaded>
      {open && <RetryForm policy={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

type PoliciesProps = { readonly policies: readonly Policy[]; readonly onOpen: (policy: Policy) => void };

function Policies({ policies, onOpen }: PoliciesProps) {
  const { can } = useSession();
  const isDefaultSaved = policies.some(({ plan_id }) => plan_id === '');
  const rows = (isDefaultSaved ? policies : [STANDARD, ...policies]).toSorted((a, b) =>
    a.plan_id < b.plan_id ? -1 : 1,
  );
  const columns: readonly Column<Policy>[] = [
    { key: 'plan', header: 'Plan', cell: ({ plan_id }) => plan_id || 'All others' },
    {
      key: 'delays',
      header: 'Retries after',
      isWide: true,
      cell: ({ delays }) => delays.join(', then ') || 'Never',
    },
    { key: 'most', header: 'At most', align: 'end', cell: ({ max_retries }) => `${max_retries}×` },
    {
      key: 'edit',
      header: 'Change',
      align: 'end',
      cell: (policy) =>
        can('subscriptions:write') && (
          <Button
            size="small"
            tone="quiet"
            icon="edit"
            label={`Edit the policy of ${policy.plan_id || 'all others'}`}
            onClick={() => onOpen(policy)}
          />
        ),
    },
  ];
  return (
    <Table
      label="Retry policies"
      columns={can('subscriptions:write') ? columns : columns.slice(0, -1)}
      rows={rows}
      rowKey={({ plan_id }) => plan_id}
    />
  );
}

type FormProps = { readonly policy: Policy; readonly onClose: () => void };

function RetryForm({ policy, onClose }: FormProps) {
  const isNew = policy === FRESH;
  const [plan, setPlan] = useState(policy.plan_id.trim());
  const [delays, setDelays] = useState(policy.delays.join(', '));
  const [most, setMost] = useState(String(policy.max_retries));
  const isComplete = /^\d{1,2}$/.test(most.trim()) && (!isNew || plan.trim() !== '');
  const input = { plan_id: plan.trim(), delays: codesIn(delays), max_retries: Number(most) };
  return (
    <ConfirmDialog
      title={isNew ? 'Policy for a plan' : `Policy of ${plan || 'all others'}`}
      confirm="Save the policy"
      input={isComplete ? input : undefined}
      send={(api, body, options) => api.policies.saveRetryPolicy(body, options)}
      onDone={() => {
        invalidate('retry-policies');
        showToast('The retry policy is saved.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem: ApiProblem | undefined) => (
        <>
          <p>It applies from the next failed try on, also to invoices that are being collected.</p>
          {isNew && (
            <Input label="Plan ID" value={plan} required error={fieldError(problem, 'plan_id')} onValue={setPlan} />
          )}
          <Input
            label="Delays"
            value={delays}
            placeholder="24h, 72h, 120h"
            hint="Minutes, hours or days, such as 15m, 24h or 3d. The last one repeats."
            error={fieldError(problem, 'delays')}
            onValue={setDelays}
          />
          <Input
            label="Retries at most"
            value={most}
            inputMode="numeric"
            hint="0 to 10. With 0 a failed invoice is not tried again."
            error={fieldError(problem, 'max_retries')}
            onValue={setMost}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
