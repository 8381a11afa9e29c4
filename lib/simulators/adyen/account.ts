import { api } from '#lib/simulators/adyen/answers.ts';

/** Of the Management API, which at Adyen has a host of its own. */
export const accountRoutes = [
  api({
    method: 'GET',
    path: '/v3/me',
    operation: 'ping',
    status: 200,
    check: () => {},
    run: (_, work) => ({
      id: `S2-${work.account.slice(0, 40).toUpperCase()}`,
      username: `ws_${work.account.slice(0, 6)}@Company.${(work.accountPublicId ?? 'DemoShop').replaceAll(/\W/g, '')}`,
      clientKey: `test_${work.account.slice(0, 32).toUpperCase()}`,
      companyName: work.accountName,
      allowedIpAddresses: [],
      roles: ['Checkout webservice role', 'Management API - Users read and write', 'Merchant PAL Webservice role'],
      active: true,
    }),
  }),
];
