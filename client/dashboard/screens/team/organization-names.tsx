import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge, wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Id, KeyValue } from '#client/dashboard/ui/values.tsx';
import type { Organization, RenameOrganization } from '#client/typescript/src/index.ts';

export function OrganizationNames() {
  const texts = useMessages(TEAM);
  const { isAtLeast } = useSession();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(['organization'], (api, options) => api.organizations.get({}, options));
  const rename = isAtLeast('admin') && (
    <Button icon="edit" onClick={() => setOpen(true)}>
      {texts.rename}
    </Button>
  );
  return (
    <Section title={texts.names} actions={rename}>
      <Loaded query={query}>{(organization) => <Names organization={organization} />}</Loaded>
      {isOpen && query.data && <RenameDialog organization={query.data} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Names({ organization }: { readonly organization: Organization }) {
  const texts = useMessages(TEAM);
  const { id, name, legal_name, requested_legal_name, kyc, plan, created_at } = organization;
  return (
    <KeyValue
      columns={2}
      items={[
        [texts.name, name],
        [texts.legalName, legal_name ?? '–'],
        [texts.requestedName, requested_legal_name],
        [texts.verification, <StatusBadge key="kyc" status={kyc} label={texts.kyc[kyc]} />],
        [texts.plan, wordsOf(plan)],
        [texts.since, <Time key="since" at={created_at} as="date" />],
        ['ID', <Id key="id" id={id} />],
      ]}
    />
  );
}

type Names = { readonly name: string; readonly legalName: string };

/** Only what differs is sent. An empty legal name takes it away. */
function changesOf({ name: nameNow, legal_name }: Organization, { name, legalName }: Names): RenameOrganization {
  const legalNow = legal_name ?? '';
  return {
    ...(name.trim() !== nameNow && { name: name.trim() }),
    ...(legalName.trim() !== legalNow && { legal_name: legalName.trim() === '' ? null : legalName.trim() }),
  };
}

type RenameDialogProps = { readonly organization: Organization; readonly onClose: () => void };

function RenameDialog({ organization, onClose }: RenameDialogProps) {
  const texts = useMessages(TEAM);
  const { reloadSession } = useSession();
  const [names, setNames] = useState<Names>({ name: organization.name, legalName: organization.legal_name ?? '' });
  const changes = changesOf(organization, names);
  const isComplete = names.name.trim() !== '' && Object.keys(changes).length > 0;
  return (
    <ConfirmDialog
      title={texts.renameTitle}
      confirm={texts.save}
      input={isComplete ? changes : undefined}
      send={(api, sent, options) => api.team.updateOrganization(sent, options)}
      onDone={() => {
        invalidate('organization', 'audit');
        reloadSession();
        showToast(texts.renamed);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <NameFields names={names} onNames={setNames} isApproved={organization.kyc === 'approved'} problem={problem} />
          {organization.kyc === 'approved' && 'legal_name' in changes && (
            <Alert tone="info">{texts.renameApproved}</Alert>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

type NameFieldsProps = {
  readonly names: Names;
  readonly onNames: (names: Names) => void;
  /** Then only owners may change the legal name. */
  readonly isApproved: boolean;
  readonly problem: ApiProblem | undefined;
};

function NameFields({ names, onNames, isApproved, problem }: NameFieldsProps) {
  const texts = useMessages(TEAM);
  const isOwner = useSession().isAtLeast('owner');
  return (
    <>
      <Input
        label={texts.name}
        hint={texts.nameHint}
        value={names.name}
        onValue={(name) => onNames({ ...names, name })}
        maxLength={200}
        error={fieldError(problem, 'name')}
      />
      <Input
        label={texts.legalName}
        hint={texts.legalNameHint}
        value={names.legalName}
        onValue={(legalName) => onNames({ ...names, legalName })}
        maxLength={200}
        disabled={isApproved && !isOwner}
        error={fieldError(problem, 'legal_name')}
      />
    </>
  );
}
