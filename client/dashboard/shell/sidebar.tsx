import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { addressOf, GROUPS, type Place, placeAt } from '#client/dashboard/shell/navigation.ts';
import { OrganizationMenu } from '#client/dashboard/shell/organization-menu.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';

type NavigationProps = { readonly places: readonly Place[]; readonly onGo?: () => void };

/** The list of places, in groups. Stands in the sidebar, and in the drawer of narrow windows. */
export function Navigation({ places, onGo }: NavigationProps) {
  const { nav } = useMessages(FRAME);
  const { path } = useLocation();
  const current = placeAt(places, path);
  return (
    <div class="navigation">
      {GROUPS.map((group) => {
        const listed = places.filter((place) => place.group === group);
        if (listed.length === 0) return null;
        return (
          <div key={group} class="navigation-group">
            {group !== 'main' && <p class="navigation-title">{nav[group]}</p>}
            <ul>
              {listed.map((place) => (
                <li key={place.name}>
                  <a
                    class="navigation-link"
                    href={addressOf(place)}
                    aria-current={place === current ? 'page' : undefined}
                    onClick={onGo}
                  >
                    <Icon name={place.name} />
                    {nav[place.name]}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

export function Sidebar({ places }: { readonly places: readonly Place[] }) {
  const { nav } = useMessages(FRAME);
  return (
    <nav class="sidebar" aria-label={nav.label}>
      <OrganizationMenu />
      <Navigation places={places} />
    </nav>
  );
}
