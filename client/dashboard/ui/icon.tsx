/** Paths of a grid of 16 units, drawn as lines. */
const PATHS = {
  today: 'M2 8.5h3l2-5 3 9 2-4h2',
  payments: 'M1.5 4.5h13v8h-13zM1.5 7h13M4 10h3',
  reviews: 'M8 1.8 13.5 4v4c0 3.2-2.3 5.3-5.5 6.3C4.8 13.3 2.5 11.2 2.5 8V4zM5.8 8l1.6 1.6 3-3.2',
  disputes: 'M8 2v12M4 14h8M2.5 4h11M4 4 2 9h4zM12 4l-2 5h4z',
  approvals: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5.2 8.2l2 2 3.600-4',
  connections: 'M5.5 2v3.500M10.5 2v3.500M3.5 5.500h9V8a4.5 4.5 0 0 1-9 0zM8 12.500V15',
  routing: 'M2 8h4l4-4h4M6 8l4 4h4M12 2l2 2-2 2M12 10l2 2-2 2',
  subscriptions: 'M13.5 8A5.5 5.5 0 0 1 3.7 11.400M2.5 8a5.5 5.5 0 0 1 9.8-3.400M12.5 1.800v3h-3M3.5 14.200v-3h3',
  invoices: 'M3.5 1.500h9v13l-2.2-1.500L8 14.5 5.7 13l-2.2 1.500zM6 5h4M6 8h4',
  webhooks: 'M3 13a2.5 2.5 0 1 1 2.3-1.500h5.500M13 13a2.5 2.5 0 1 0-1.8-4L8 4.500M8 2a2.5 2.5 0 0 0-1.5 4.300L4.7 9.6',
  workflows: 'M2 2.500h4v4H2zM10 9.500h4v4h-4zM4 6.500v5h6',
  developers: 'M5 4.5 1.5 8 5 11.500M11 4.5 14.5 8 11 11.500M9.3 2.500l-2.6 11',
  team: 'M6 7.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.500c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.700a2.5 2.5 0 0 1 0 4.600M12 9.800c1.5.5 2.5 1.9 2.5 3.7',
  platform: 'M2 14.500v-9l6-4 6 4v9zM6 14.500v-4h4v4M6 7.500h4',
  lab: 'M6 1.500h4M6.8 1.500v4.500L2.5 13c-.4.8.1 1.5 1 1.500h9c.9 0 1.4-.7 1-1.500L9.2 6V1.500M4.5 10h7',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.500l9 9M12.5 3.500l-9 9',
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.500h8v8h-8zM10.5 5.500v-3h-8v8h3',
  warning: 'M8 2 14.5 13.500h-13zM8 6.500v3M8 11.500v.1',
  error: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.700v4M8 11v.1',
  info: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.300v4M8 4.900v.1',
  clock: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.500V8l2.5 1.5',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  rise: 'M4 12 12 4M6 4h6v6',
  fall: 'M4 4l8 8M12 6v6H6',
  right: 'M6 4l4 4-4 4',
  external: 'M9.5 2.500h4v4M13.5 2.5 7.5 8.500M6.5 3.500h-4v10h10v-4',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.500h11',
  refund: 'M5.5 3 2.5 6l3 3M2.5 6h7a3.5 3.5 0 0 1 0 7.500H6',
  filter: 'M2 3.500h12M4.5 8h7M6.5 12.500h3',
  trash: 'M2.5 4h11M6 4V2h4v2M4 4l.7 10h6.600L12 4M6.5 6.500v5M9.5 6.500v5',
  edit: 'M2.5 13.500v-3l8-8 3 3-8 8zM8.5 4.500l3 3',
  drag: 'M6 3.500v.100M10 3.500v.100M6 8v.100M10 8v.100M6 12.500v.100M10 12.500v.1',
  more: 'M3.5 8v.100M8 8v.100M12.5 8v.1',
  key: 'M5.5 13.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM8 7.500l5.5-5.500M11 4.500l2 2',
  'sign-out': 'M6 2.5H2.5v11H6M10.5 5l3 3-3 3M13.5 8H6',
  lock: 'M3.5 7h9v7h-9zM5.5 7V4.500a2.5 2.5 0 0 1 5 0V7',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14.500c0-3 2.4-4.5 5.5-4.500s5.5 1.5 5.5 4.5',
  settings:
    'M2 4.500h6M12 4.500h2M2 11.500h2M8 11.500h6M10 6.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  link: 'M6.5 9.500l3-3M7 4.500l1.5-1.500a3 3 0 0 1 4.5 4.500L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.500L4.5 7',
  play: 'M4.5 2.500v11l9-5.500z',
  pause: 'M5 3v10M11 3v10',
  retry: 'M13 8a5 5 0 1 1-1.7-3.800M13 1.500v3.500H9.5',
  mail: 'M1.5 3.500h13v9h-13zM1.5 4.5 8 9l6.5-4.5',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: the text beside it says the same to everybody. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
