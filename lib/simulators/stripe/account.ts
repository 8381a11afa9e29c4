import { api } from '#lib/simulators/stripe/ask.ts';
import { accountId } from '#lib/simulators/stripe/events.ts';
import { EXPAND_ONLY } from '#lib/simulators/stripe/shapes.ts';

const profile = (name: string) => ({
  mcc: null,
  minority_owned_business_designation: null,
  name,
  product_description: null,
  specified_commercial_transactions_act_url: null,
  support_address: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  url: null,
});

export const accountRoutes = [
  api('GET', '/v1/account', 'ping', {
    shows: 'account',
    shape: EXPAND_ONLY,
    run: (_, work) => ({
      id: accountId(work),
      object: 'account',
      business_profile: profile(work.accountName),
      business_type: 'company',
      capabilities: { card_payments: 'active', transfers: 'active' },
      charges_enabled: true,
      country: 'US',
      created: 1_700_000_000,
      default_currency: 'usd',
      details_submitted: true,
      email: 'owner@example.com',
      metadata: {},
      payouts_enabled: true,
      settings: {
        branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
        card_payments: {
          statement_descriptor_prefix: null,
          statement_descriptor_prefix_kana: null,
          statement_descriptor_prefix_kanji: null,
        },
        dashboard: { display_name: work.accountName, timezone: 'Etc/UTC' },
        payments: {
          statement_descriptor: null,
          statement_descriptor_kana: null,
          statement_descriptor_kanji: null,
          statement_descriptor_prefix_kana: null,
          statement_descriptor_prefix_kanji: null,
        },
      },
      type: 'standard',
    }),
  }),
];
