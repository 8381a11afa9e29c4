import type { FrameMessages } from '#client/dashboard/i18n/frame-messages.ts';
import type { Scope, Session } from '#client/dashboard/shell/session.tsx';
import type { IconName } from '#client/dashboard/ui/icon.tsx';

type Group = 'main' | 'groupBilling' | 'groupSetup' | 'groupPlatform';

export type Place = {
  readonly name: keyof FrameMessages['nav'] & IconName;
  readonly group: Group;
  /** Pressed after `g`. */
  readonly key: string;
  /** Without it the API answers nothing there, so it is not shown. */
  readonly scope?: Scope;
  /** Only where this is: people of the platform, or a host that can be controlled. */
  readonly only?: 'platform' | 'lab';
};

/** The places of the navigation, in their order. The name is also its icon, and its path but for Today. */
const PLACES: readonly Place[] = [
  { name: 'today', group: 'main', key: 't' },
  { name: 'payments', group: 'main', key: 'p', scope: 'payments:read' },
  { name: 'reviews', group: 'main', key: 'r', scope: 'payments:read' },
  { name: 'disputes', group: 'main', key: 'd', scope: 'payments:read' },
  { name: 'approvals', group: 'main', key: 'v' },
  { name: 'subscriptions', group: 'groupBilling', key: 's', scope: 'subscriptions:read' },
  { name: 'invoices', group: 'groupBilling', key: 'i', scope: 'invoices:read' },
  { name: 'connections', group: 'groupSetup', key: 'c', scope: 'connections:read' },
  { name: 'routing', group: 'groupSetup', key: 'o', scope: 'connections:read' },
  { name: 'webhooks', group: 'groupSetup', key: 'w', scope: 'webhooks:read' },
  { name: 'workflows', group: 'groupSetup', key: 'f', scope: 'workflows:read' },
  { name: 'developers', group: 'groupSetup', key: 'k' },
  { name: 'team', group: 'groupSetup', key: 'm' },
  { name: 'platform', group: 'groupPlatform', key: 'a', only: 'platform' },
  { name: 'lab', group: 'groupPlatform', key: 'l', only: 'lab' },
];

export const addressOf = ({ name }: Place): string => (name === 'today' ? '/dashboard' : `/dashboard/${name}`);

export const GROUPS: readonly Group[] = ['main', 'groupBilling', 'groupSetup', 'groupPlatform'];

/** The control server's address, which only the page of a local host names. */
export const controlAddress = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="payfork-control"]')?.content;

/** What this person can open. */
export function placesFor({ can, organization }: Session, isPlatform: boolean): readonly Place[] {
  const exists = { platform: isPlatform, lab: controlAddress() !== undefined };
  return PLACES.filter(({ scope, only }) => {
    if (only) return exists[only];
    return organization !== undefined && (!scope || can(scope));
  });
}

/** The place that this address belongs to. */
export const placeAt = (places: readonly Place[], path: string): Place | undefined =>
  places.find((place) => path === addressOf(place)) ??
  places.find((place) => place.name !== 'today' && path.startsWith(`${addressOf(place)}/`));
