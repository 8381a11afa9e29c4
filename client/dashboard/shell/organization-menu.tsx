import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';

/** Which organization is looked at. With several, it is where another one is chosen. */
export function OrganizationMenu() {
  const messages = useMessages(FRAME);
  const { organization, organizations } = useSession();
  if (!organization) return <p class="organization">Payfork</p>;
  const face = <OrganizationFace name={organization.name} />;
  if (organizations.length === 1) return <p class="organization">{face}</p>;
  const button = (
    <>
      {face}
      <Icon name="down" size={12} />
    </>
  );
  return (
    <Menu label={`${messages.organization}: ${organization.name}`} buttonClass="organization" button={button}>
      {(close) => <OrganizationChoices onChosen={close} />}
    </Menu>
  );
}

const OrganizationFace = ({ name }: { readonly name: string }) => (
  <>
    <span class="organization-mark" aria-hidden="true">
      {[...name.trim()][0] ?? 'P'}
    </span>
    <span class="organization-name">{name}</span>
  </>
);

/** What is open belongs to the old organization, so the new one begins at Today. */
function OrganizationChoices({ onChosen }: { readonly onChosen: () => void }) {
  const { organization, organizations, switchOrganization } = useSession();
  const { route } = useLocation();
  const choose = (id: string): void => {
    onChosen();
    if (id === organization?.id) return;
    switchOrganization(id);
    route('/dashboard');
  };
  return organizations.map(({ id, name, role }) => (
    <MenuItem key={id} isCurrent={id === organization?.id} onClick={() => choose(id)}>
      {name} <span class="muted">{wordsOf(role)}</span>
    </MenuItem>
  ));
}
