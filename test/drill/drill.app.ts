import { serviceApp } from '#lib/aws/service-app.ts';
import { DRILLED } from '#test/drill/drill.stages.ts';

serviceApp(DRILLED);
