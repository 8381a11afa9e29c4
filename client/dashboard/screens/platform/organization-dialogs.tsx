import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { Radios, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { PlatformOrganization } from '#client/typescript/src/index.ts';

type DialogProps = { readonly organization: PlatformOrganization; readonly onClose: () => void };

const onChanged = (text: string, onClose: () => void) => () => {
  invalidate('platform-organizations', 'platform-audit');
  showToast(text);
  onClose();
};

const PLANS = [
  { value: 'free', label: 'Free', hint: '2 connections, 5 keys, 100 payments and 50 workflow runs a month.' },
  {
    value: 'growth',
    label: 'Growth',
    hint: '20 connections, 50 keys, 10,000 payments and 5,000 runs a month, A/B tests.',
  },
  { value: 'scale', label: 'Scale', hint: 'No limits.' },
] as const;

export function PlanDialog({ organization, onClose }: DialogProps) {
  const [plan, setPlan] = useState(organization.plan);
  return (
    <ConfirmDialog
      title={`Change the plan of ${organization.name}`}
      confirm="Change plan"
      input={plan === organization.plan ? undefined : { plan }}
      send={(api, input, options) => api.platform.setOrganizationPlan(organization.id, input, options)}
      onDone={onChanged(`${organization.name} has another plan.`, onClose)}
      onClose={onClose}
    >
      <p>Limits of the new plan count at once. What is there beyond a lower limit stays, but no more is added.</p>
      <Radios label="Plan" value={plan} onValue={setPlan} options={PLANS} />
    </ConfirmDialog>
  );
}

const RATES = [
  { name: 'payments', label: 'Payments a minute' },
  { name: 'writes', label: 'Other changes a minute' },
  { name: 'reads', label: 'Reads a minute' },
] as const;

type Rates = { readonly payments: string; readonly writes: string; readonly reads: string };

export function RateDialog({ organization, onClose }: DialogProps) {
  const { rate } = organization;
  const [typed, setTyped] = useState<Rates>({
    payments: String(rate.payments),
    writes: String(rate.writes),
    reads: String(rate.reads),
  });
  const wanted = { payments: Number(typed.payments), writes: Number(typed.writes), reads: Number(typed.reads) };
  const isComplete = Object.values(wanted).every((value) => Number.isInteger(value) && value > 0);
  return (
    <ConfirmDialog
      title={`Request limits of ${organization.name}`}
      confirm="Change limits"
      input={isComplete ? wanted : undefined}
      send={(api, input, options) => api.platform.setOrganizationRate(organization.id, input, options)}
      onDone={onChanged(`${organization.name} has other request limits.`, onClose)}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>For each of its API keys. Keys take the new limits over within a minute.</p>
          {RATES.map(({ name, label }) => (
            <Input
              key={name}
              label={label}
              type="number"
              inputMode="numeric"
              min={1}
              value={typed[name]}
              onValue={(value) => setTyped({ ...typed, [name]: value })}
              error={fieldError(problem, name)}
            />
          ))}
        </>
      )}
    </ConfirmDialog>
  );
}

const SHARDS = [4, 16, 64] as const;

export function CapacityDialog({ organization, onClose }: DialogProps) {
  const now = organization.capacity.list_shards;
  const larger = SHARDS.filter((count) => count > now);
  const [chosen, choose] = useState(String(larger[0] ?? now));
  const list_shards = larger.find((count) => String(count) === chosen);
  return (
    <ConfirmDialog
      title={`Capacity of ${organization.name}`}
      confirm="Spread the lists"
      input={list_shards === undefined ? undefined : { list_shards }}
      send={(api, input, options) => api.platform.setOrganizationCapacity(organization.id, input, options)}
      onDone={onChanged(`The lists of ${organization.name} have more room.`, onClose)}
      onClose={onClose}
    >
      <p>
        Its lists are over {now} partitions now. More take more payments a second, and each list then costs more reads.
        The number only grows: this cannot be undone.
      </p>
      {larger.length > 0 && (
        <Select
          label="Partitions"
          value={chosen}
          onValue={choose}
          options={larger.map((count) => ({ value: String(count), label: String(count) }))}
        />
      )}
    </ConfirmDialog>
  );
}
