import { serviceApp } from '#lib/aws/service.stack.ts';

serviceApp();
