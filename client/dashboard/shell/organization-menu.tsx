import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';

/** Which organization is looked at. What is open belongs to the old one, so a switch begins at Today. */
export function OrganizationMenu() {
  const messages = useMessages(FRAME);
  const { organization, organizations, switchOrganization } = useSession();
  const { route } = useLocation();
  if (!organization) return <p class="organization">Payfork</p>;
  const face = (
    <>
      <span class="organization-mark" aria-hidden="true">
        {[...organization.name.trim()][0] ?? 'P'}
      </span>
      <span class="organization-name">{organization.name}</span>
    </>
  );
  if (organizations.length === 1) return <p class="organization">{face}</p>;
  return (
    <Menu
      label={`${messages.organization}: ${organization.name}`}
      buttonClass="organization"
      button={
        <>
          {face}
          <Icon name="down" size={12} />
        </>
      }
    >
      {(close) =>
        organizations.map(({ id, name, role }) => (
          <MenuItem
            key={id}
            isCurrent={id === organization.id}
            onClick={() => {
              close();
              if (id === organization.id) return;
              switchOrganization(id);
              route('/dashboard');
            }}
          >
            {name} <span class="muted">{wordsOf(role)}</span>
          </MenuItem>
        ))
      }
    </Menu>
  );
}
