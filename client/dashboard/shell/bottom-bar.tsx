import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { addressOf, type Place, placeAt } from '#client/dashboard/shell/navigation.ts';
import { OrganizationMenu } from '#client/dashboard/shell/organization-menu.tsx';
import { Navigation } from '#client/dashboard/shell/sidebar.tsx';
import { Drawer } from '#client/dashboard/ui/dialog.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';

/** As many as thumbs reach; the rest is behind the last one. */
const SHOWN = 4;

/** The navigation of narrow windows. */
export function BottomBar({ places }: { readonly places: readonly Place[] }) {
  const { nav } = useMessages(FRAME);
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const current = placeAt(places, path);
  return (
    <nav class="bottom-bar" aria-label={nav.label}>
      {places.slice(0, SHOWN).map((place) => (
        <a
          key={place.name}
          class="bottom-link"
          href={addressOf(place)}
          aria-current={place === current ? 'page' : undefined}
        >
          <Icon name={place.name} size={20} />
          <span class="bottom-text">{nav[place.name]}</span>
        </a>
      ))}
      <button type="button" class="bottom-link" aria-expanded={isOpen} onClick={() => setOpen(true)}>
        <Icon name="menu" size={20} />
        {nav.more}
      </button>
      {isOpen && (
        <Drawer title={nav.more} onClose={() => setOpen(false)}>
          <OrganizationMenu />
          <Navigation places={places} onGo={() => setOpen(false)} />
        </Drawer>
      )}
    </nav>
  );
}
