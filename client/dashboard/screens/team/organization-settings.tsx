import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Checkbox, Select } from '#client/dashboard/ui/choices.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { ChangeOrganizationSettings, OrganizationSettings } from '#client/typescript/src/index.ts';

/** What customers see of the organization on payment pages and receipts. */
export function OrganizationSettingsForm() {
  const texts = useMessages(TEAM);
  const query = useQuery(['organization-settings'], (api, options) => api.organizations.getSettings({}, options));
  return (
    <Section title={texts.customers} description={texts.customersHint}>
      <Loaded query={query}>{(saved) => <SettingsForm key={JSON.stringify(saved)} saved={saved} />}</Loaded>
    </Section>
  );
}

const TEXT_FIELDS = ['support_email', 'support_phone', 'website_url', 'logo_url'] as const;
const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'pt'] as const;

/** Only what differs is sent: two people who change different fields do not undo each other. */
function changesBetween(saved: OrganizationSettings, wanted: OrganizationSettings): ChangeOrganizationSettings {
  const names = (Object.keys(wanted) as (keyof OrganizationSettings)[]).filter((name) => wanted[name] !== saved[name]);
  return Object.fromEntries(names.map((name) => [name, wanted[name]]));
}

function SettingsForm({ saved }: { readonly saved: OrganizationSettings }) {
  const texts = useMessages(TEAM);
  const mayChange = useSession().isAtLeast('admin');
  const [wanted, setWanted] = useState(saved);
  const changes = changesBetween(saved, wanted);
  const action = useAction(
    (api, sent: ChangeOrganizationSettings, options) => api.team.updateOrganizationSettings(sent, options),
    () => {
      invalidate('organization-settings');
      showToast(texts.saved);
    },
  );
  return (
    <form
      class="stack narrow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(changes);
      }}
    >
      <fieldset class="plain stack" disabled={!mayChange || action.isPending || action.isUnknown}>
        <SettingsFields wanted={wanted} onWanted={setWanted} problem={action.problem} />
      </fieldset>
      <ActionProblem problem={action.problem} isUnknown={action.isUnknown} />
      {mayChange && (
        <Button type="submit" tone="primary" isPending={action.isPending} disabled={Object.keys(changes).length === 0}>
          {texts.save}
        </Button>
      )}
    </form>
  );
}

type FieldsProps = {
  readonly wanted: OrganizationSettings;
  readonly onWanted: (wanted: OrganizationSettings) => void;
  readonly problem: ApiProblem | undefined;
};

function SettingsFields({ wanted, onWanted, problem }: FieldsProps) {
  const texts = useMessages(TEAM);
  const set = (change: Partial<OrganizationSettings>) => onWanted({ ...wanted, ...change });
  const looks = {
    support_email: { label: texts.supportEmail, type: 'email' },
    support_phone: { label: texts.supportPhone, type: 'text' },
    website_url: { label: texts.website, type: 'url', hint: texts.websiteHint },
    logo_url: { label: texts.logo, type: 'url', hint: texts.logoHint },
  } as const;
  return (
    <>
      {TEXT_FIELDS.map((name) => (
        <Input
          key={name}
          {...looks[name]}
          value={wanted[name] ?? ''}
          onValue={(value) => set({ [name]: value.trim() === '' ? null : value })}
          error={fieldError(problem, name)}
        />
      ))}
      <Checkbox
        label={texts.receipts}
        hint={texts.receiptsHint}
        isChecked={wanted.email_receipts}
        onChecked={(email_receipts) => set({ email_receipts })}
      />
      <Select
        label={texts.receiptLanguage}
        value={wanted.receipt_language}
        options={LANGUAGES.map((value) => ({ value, label: texts.languages[value] }))}
        onValue={(receipt_language) => set({ receipt_language })}
      />
    </>
  );
}
