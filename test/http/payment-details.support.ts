import type { Body } from '#test/support/host.ts';

export const BROWSER = {
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  accept_header: 'text/html,*/*;q=0.8',
  language: 'de-DE',
  color_depth: 24,
  screen_height: 900,
  screen_width: 1_440,
  time_zone_offset: -60,
  java_enabled: false,
  javascript_enabled: true,
  origin: 'https://shop.example',
};

export const ADDRESS = {
  line1: 'Canaryallee 17',
  line2: 'Hinterhaus',
  city: 'Köln',
  state: 'NW',
  postal_code: '50667',
  country: 'DE',
};

export const LINE = { name: 'Tee', quantity: 2, unit_amount: 2_250, total_amount: 4_500 };

/** All that a payment of 5,000 with a customer can have. */
export const DETAILS = {
  billing: { name: 'Kanarienvogel Kim', phone: '+49 221 4711-0815', address: ADDRESS },
  shipping: { name: 'Sperling Sam', phone: '+4922147110816', address: { ...ADDRESS, line1: 'Spatzenweg 4' } },
  browser: BROWSER,
  statement_descriptor: 'TEEHAUS 4711',
  statement_descriptor_suffix: 'ORDER 7',
  order: { reference: 'Bestellung-815', tax_amount: 798, shipping_amount: 500, lines: [LINE] },
  sca: { challenge: 'preferred' },
} as const satisfies Body;
