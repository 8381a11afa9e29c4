import { api } from '#lib/simulators/mollie/ask.ts';
import { profileId } from '#lib/simulators/mollie/new-payment.ts';

export const profileRoutes = [
  api('GET', '/v2/profiles/me', 'ping', {
    run: ({ mode }, work) => ({
      resource: 'profile',
      id: profileId(work),
      mode,
      name: work.accountName,
      website: 'https://shop.example',
      email: 'owner@example.com',
      phone: '+31208202070',
      businessCategory: 'OTHER_MERCHANDISE',
      status: 'verified',
      createdAt: '2023-11-14T22:13:20+00:00',
      _links: {
        self: { href: 'https://api.mollie.com/v2/profiles/me', type: 'application/hal+json' },
        dashboard: { href: 'https://my.mollie.com/dashboard', type: 'text/html' },
        documentation: { href: 'https://docs.mollie.com/reference/get-current-profile', type: 'text/html' },
      },
    }),
  }),
];
