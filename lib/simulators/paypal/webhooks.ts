import { HERE } from '#lib/simulators/frame/wire.ts';
import { api } from '#lib/simulators/paypal/api.ts';
import { json, missing } from '#lib/simulators/paypal/errors.ts';

/** Any well-formed id is one of the app's; `UNKNOWN` in it stands for one that is not. */
export const webhookRoutes = [
  api('GET', '/v1/notifications/webhooks/{webhook}', 'ping', ({ params: { webhook = '' } }) => {
    if (!/^[A-Z0-9-]{1,64}$/i.test(webhook) || webhook.includes('UNKNOWN')) throw missing();
    const links = [{ href: `${HERE}/paypal/v1/notifications/webhooks/${webhook}`, rel: 'self', method: 'GET' }];
    return json(200, {
      id: webhook,
      url: 'https://shop.example/webhooks/paypal',
      event_types: [{ name: '*', description: 'ALL' }],
      links,
    });
  }),
];
