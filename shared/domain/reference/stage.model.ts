/** Test money or real money, of a stage of the service and of a merchant's account at a PSP. */
export const STAGE_NAMES = ['sandbox', 'live'] as const;
export type Stage = (typeof STAGE_NAMES)[number];
