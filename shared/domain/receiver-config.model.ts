/** Where an organization wants its events. `sealed_secret` holds the `whsec_…` string, made once and kept. */
export type ReceiverConfig = {
  readonly org_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly sealed_secret: string;
  readonly created_at: string;
  readonly updated_at: string;
};
