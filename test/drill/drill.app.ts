import { serviceApp } from '#lib/aws/service-app.ts';
import { DRILLED, drilledIn, type Regions } from '#test/drill/drill.stages.ts';

/** The settings of live's regions, as JSON, once it has a second one. */
const [regions] = process.argv.slice(2);

serviceApp(regions === undefined ? DRILLED : drilledIn(JSON.parse(regions) as Regions));
