export interface SelfCheckPort {
  /** Whether the store answers. Asked often, it looks every few seconds. Never rejects. */
  storeAnswers(): Promise<boolean>;
  /** Whether the probe of this service was ever set up, as far as `storeAnswers` has seen. */
  knowsProbe(): Promise<boolean>;
  /** Notes that the probe was set up. */
  noteProbe(at: Date): Promise<void>;
}
