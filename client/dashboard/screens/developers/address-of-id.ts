/** Screens by the prefix of the ids that they show. */
const PLACES: Readonly<Record<string, string>> = {
  pay: 'payments',
  disp: 'disputes',
  sub: 'subscriptions',
  inv: 'invoices',
  conn: 'connections',
  evt: 'webhooks/events',
  wfx: 'workflows/runs',
};

/** Where a record is shown; undefined if no screen shows its kind. */
export function addressOfId(id: string): string | undefined {
  const place = PLACES[id.slice(0, id.indexOf('_'))];
  return place && `/dashboard/${place}/${id}`;
}
