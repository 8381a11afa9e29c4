import { serviceApp } from '#lib/aws/service-app.ts';

serviceApp();
