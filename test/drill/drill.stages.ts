import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { ACCOUNT, REGION, SECOND_REGION } from '#test/drill/drill.settings.ts';

const mail = { from: 'payments@shop.example' };

/** Both stages as a deployment of its own settles them: with what the emulator can take. */
export const DRILLED: readonly PayforkSettings[] = [
  { name: STACK_NAMES.sandbox, stage: 'sandbox', mail },
  {
    name: STACK_NAMES.live,
    stage: 'live',
    mail,
    env: { account: ACCOUNT, region: REGION },
    tableOptions: { replicas: [{ region: SECOND_REGION }] },
  },
];

/** How live is deployed in two regions: the changes of its two lines. */
export type Regions = {
  readonly first: Partial<PayforkSettings>;
  readonly second: Partial<PayforkSettings> & Required<Pick<PayforkSettings, 'standby'>>;
};

/** Live in both of its regions. */
export const drilledIn = ({ first, second }: Regions): readonly PayforkSettings[] =>
  DRILLED.filter(({ name }) => name === STACK_NAMES.live).flatMap((line) => {
    const { tableOptions: _, ...common } = line;
    return [
      { ...line, ...first },
      { ...common, env: { account: ACCOUNT, region: SECOND_REGION }, ...second },
    ];
  });
